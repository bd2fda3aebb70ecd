//! The tools that the chores need, each at one version, installed if missing. It knows no chore.

mod browser;
mod cargo_tool;
mod debian;
mod node_packages;
pub(crate) mod toolchain;
mod trunk;

pub(crate) use browser::{Browser, install as browser};
pub(crate) use cargo_tool::find_on_path;
pub(crate) use debian::{engines, faketime, is_ours as is_debian, postgres};
pub(crate) use node_packages::{NodePackages, build_packages, engine_packages, test_packages};
pub(crate) use trunk::Trunk;

use crate::project;
use anyhow::Result;
use cargo_tool::CargoTool;
use std::path::PathBuf;

/// The tools that turn the component into files for a browser.
pub(crate) struct BuildTools {
    /// `wasm-bindgen` at the version of the crate.
    pub(crate) wasm_bindgen: PathBuf,
    /// The npm packages of `tools/`; `wasm-opt` is one of them.
    pub(crate) node: NodePackages,
}

/// Installs the tools that build the component.
pub(crate) fn for_build() -> Result<BuildTools> {
    toolchain::wasm_target()?;
    toolchain::rust_source()?;
    Ok(BuildTools {
        wasm_bindgen: wasm_bindgen()?.install()?,
        node: build_packages()?,
    })
}

/// Installs the tools that check code for the browser without building it.
pub(crate) fn for_wasm_lints() -> Result<()> {
    toolchain::wasm_target()
}

/// Installs the runner of the component's browser tests.
pub(crate) fn wasm_test_runner() -> Result<PathBuf> {
    toolchain::wasm_target()?;
    let bindgen = wasm_bindgen()?.install()?;
    Ok(bindgen.with_file_name("wasm-bindgen-test-runner"))
}

/// Installs every tool of every chore.
pub(crate) fn install_all() -> Result<()> {
    for_build()?;
    test_packages()?;
    Trunk::install()?;
    browser::install()?;
    engine_packages()?;
    engines()?;
    Ok(())
}

/// Finds words that are misspelt.
pub(crate) fn typos() -> CargoTool {
    cargo_tool("typos-cli", "typos", "1.52.0", "about 3 min on two cores")
}

/// Checks licences and sources of dependencies.
pub(crate) fn cargo_deny() -> CargoTool {
    cargo_tool(
        "cargo-deny",
        "cargo-deny",
        "0.20.2",
        "about 6 min on two cores",
    )
}

/// Checks each feature by itself.
pub(crate) fn cargo_hack() -> CargoTool {
    cargo_tool(
        "cargo-hack",
        "cargo-hack",
        "0.6.46",
        "about 1 min on two cores",
    )
}

/// Breaks code line by line, to see if tests notice.
pub(crate) fn cargo_mutants() -> CargoTool {
    cargo_tool(
        "cargo-mutants",
        "cargo-mutants",
        "27.1.0",
        "about 2 min on two cores",
    )
}

fn cargo_tool(
    package: &'static str,
    program: &'static str,
    version: &str,
    usual_time: &'static str,
) -> CargoTool {
    CargoTool {
        package,
        program,
        version: version.to_owned(),
        locked: true,
        usual_time,
    }
}

fn wasm_bindgen() -> Result<CargoTool> {
    Ok(CargoTool {
        package: "wasm-bindgen-cli",
        program: "wasm-bindgen",
        version: project::wasm_bindgen_version()?,
        // Its lock file names a release that the registry may have withdrawn.
        locked: false,
        usual_time: "about 2 min on two cores",
    })
}
