//! The tools that the chores need, each at one version, installed if missing. It knows no chore.

mod browser;
mod cargo_tool;
mod debian;
mod packages;
pub(crate) mod toolchain;

pub(crate) use browser::{Browser, install as browser};
pub(crate) use cargo_tool::find_on_path;
pub(crate) use debian::{
    engines, faketime, install_postgres, is_ours as is_debian, musl, postgres,
};
pub(crate) use packages::{
    NodePackages, build_packages, engine_packages, python_packages, site_packages, test_packages,
    vendure_packages,
};

use crate::{child, project};
use anyhow::Result;
use cargo_tool::CargoTool;
use std::path::PathBuf;
use std::process::Command;

/// The tools that turn the component into files for a browser.
pub(crate) struct BuildTools {
    /// Writes the glue: the workspace's program `bindgen`.
    pub(crate) bindgen: PathBuf,
    /// The npm packages of `npm/tools/`; `wasm-opt` is one of them.
    pub(crate) node: NodePackages,
}

/// Installs what the elements are built with; the shipped ones have a standard library of their own.
pub(crate) fn for_elements(shipped: bool) -> Result<NodePackages> {
    toolchain::wasm_target()?;
    if shipped {
        toolchain::rust_source()?;
    }
    build_packages()
}

/// The tools that build the elements.
pub(crate) fn for_build(shipped: bool) -> Result<BuildTools> {
    Ok(BuildTools {
        node: for_elements(shipped)?,
        bindgen: bindgen()?,
    })
}

/// Builds the program that writes the glue.
fn bindgen() -> Result<PathBuf> {
    child::run_ok_quietly(
        Command::new("cargo").args(["build", "--package", "bindgen"]),
        "the program that writes glue is compiled",
    )?;
    Ok(project::cargo_target()?.join("debug/bindgen"))
}

/// Installs the tools that check code for the browser without building it.
pub(crate) fn for_wasm_lints() -> Result<()> {
    toolchain::wasm_target()
}

/// Installs the runner of the component's browser tests.
pub(crate) fn wasm_test_runner() -> Result<PathBuf> {
    toolchain::wasm_target()?;
    wasm_bindgen_tool(
        "wasm-bindgen-test-runner",
        &["--no-default-features", "--bin", "wasm-bindgen-test-runner"],
    )
}

/// Installs the program that writes the glue of a page that Trunk builds.
pub(crate) fn wasm_bindgen() -> Result<PathBuf> {
    wasm_bindgen_tool(
        "wasm-bindgen",
        &["--no-default-features", "--bin", "wasm-bindgen"],
    )
}

/// Installs one program of wasm-bindgen's tools. Their TLS library is not needed on this machine, and is half of the
/// build.
fn wasm_bindgen_tool(program: &'static str, flags: &'static [&'static str]) -> Result<PathBuf> {
    CargoTool {
        package: "wasm-bindgen-cli",
        program,
        version: project::wasm_bindgen_version()?,
        flags,
        minutes: 1,
    }
    .install()
}

/// Installs every tool of every chore.
pub(crate) fn install_all() -> Result<()> {
    for_build(true)?;
    wasm_test_runner()?;
    test_packages()?;
    browser::install()?;
    engine_packages()?;
    engines()?;
    Ok(())
}

/// Finds words that are misspelt.
pub(crate) fn typos() -> CargoTool {
    cargo_tool("typos-cli", "typos", "1.52.0", 3)
}

/// Checks licences and sources of dependencies.
pub(crate) fn cargo_deny() -> CargoTool {
    cargo_tool("cargo-deny", "cargo-deny", "0.20.2", 6)
}

/// Lists what is inside a program.
pub(crate) fn cargo_cyclonedx() -> CargoTool {
    cargo_tool("cargo-cyclonedx", "cargo-cyclonedx", "0.5.9", 2)
}

/// Checks each feature by itself.
pub(crate) fn cargo_hack() -> CargoTool {
    cargo_tool("cargo-hack", "cargo-hack", "0.6.46", 1)
}

/// Compares public items with those of a release.
pub(crate) fn cargo_semver_checks() -> CargoTool {
    cargo_tool("cargo-semver-checks", "cargo-semver-checks", "0.51.0", 5)
}

/// Breaks code line by line, to see if tests notice.
pub(crate) fn cargo_mutants() -> CargoTool {
    cargo_tool("cargo-mutants", "cargo-mutants", "27.1.0", 2)
}

/// Looks for inputs that break a promise of a parser.
pub(crate) fn cargo_fuzz() -> CargoTool {
    cargo_tool("cargo-fuzz", "cargo-fuzz", "0.13.2", 2)
}

fn cargo_tool(
    package: &'static str,
    program: &'static str,
    version: &str,
    minutes: u8,
) -> CargoTool {
    CargoTool {
        package,
        program,
        version: version.to_owned(),
        flags: &["--locked"],
        minutes,
    }
}

/// Trunk as it is on the PATH, in any version; else, if it is wanted, the one that was tried last.
pub(crate) fn trunk(wanted: bool) -> Result<Option<Command>> {
    let program = match find_on_path("trunk") {
        Some(found) => found,
        // 0.22 needs a newer Rust than rust-toolchain.toml pins.
        None if wanted => cargo_tool("trunk", "trunk", "0.21.14", 7).install()?,
        None => return Ok(None),
    };
    let mut trunk = Command::new(program);
    // Trunk refuses to start with NO_COLOR=1, a usual setting.
    trunk.env_remove("NO_COLOR");
    Ok(Some(trunk))
}
