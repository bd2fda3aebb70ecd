//! Runs cargo, which compiles Rust to wasm.

use super::{Edition, Module, floor};
use crate::tools::toolchain;
use crate::{child, project};
use anyhow::Result;
use std::env;
use std::path::PathBuf;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "wasm-release";

/// The standard library is compiled with the element, so that nothing of it stays that nobody calls.
const OWN_STD: [&str; 2] = [
    "-Zbuild-std=std,panic_abort",
    "-Zbuild-std-features=optimize_for_size",
];

/// A panic is a trap without a message, which the element notices at the border to JavaScript; nothing is
/// written for people, and no place in the source is kept.
const SMALLER: [&str; 10] = [
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    "-Zlocation-detail=none",
    "-Zfmt-debug=none",
    // Loops and repeated work stay as they are written: faster forms of them are more code, and code
    // that is less alike, so it compresses badly (0.8 KB of the download on 2026-11-22).
    "-Cllvm-args=-disable-lsr",
    "-Cllvm-args=-enable-pre=false",
    // So do values that a loop computes each time, common parts of expressions, and branches that could
    // become a choice between two values (0.8 KB of the download on 2026-11-23).
    "-Cllvm-args=-licm-max-num-uses-traversed=0",
    "-Cllvm-args=-disable-machine-licm",
    "-Cllvm-args=-disable-machine-cse",
    "-Cllvm-args=-phi-node-folding-threshold=0",
];

/// Compiles the crate with an element's entry points; gives back the wasm. Only this crate is built:
/// what others want of a shared dependency would make the wasm larger.
pub(crate) fn run(module: &Module, edition: Edition) -> Result<PathBuf> {
    let mut command = Command::new("cargo");
    // Without the rlib that tests link: it would keep functions that nobody calls.
    command
        .args(["rustc", "--package", module.package, "--lib"])
        .args(["--crate-type", "cdylib"])
        .args(["--target", TARGET, "--profile", PROFILE])
        .env("CARGO_ENCODED_RUSTFLAGS", flags(edition)?);
    if edition.is_small() {
        // The flags are unstable: a pinned toolchain may use them with this.
        command.args(OWN_STD).env("RUSTC_BOOTSTRAP", "1");
    }
    child::must(&mut command)?;
    Ok(project::cargo_target()?
        .join(TARGET)
        .join(PROFILE)
        .join(module.compiled_file()))
}

fn flags(edition: Edition) -> Result<String> {
    let mut flags = vec![short_paths()?, floor::flag()];
    if edition.is_small() {
        flags.extend(SMALLER.map(str::to_owned));
    }
    Ok(flags.join("\u{1f}"))
}

/// The wasm names the source file of every possible panic. This setting removes the builder's own
/// folders from these names: they are private, and they would make the wasm differ between
/// machines.
fn short_paths() -> Result<String> {
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home =
        cargo_home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let folders = [
        Some(project::root().to_owned()),
        cargo_home.map(|home| home.join("registry/src")),
        Some(toolchain::source_folder()?),
    ];
    let flags = folders
        .into_iter()
        .flatten()
        .map(|folder| format!("--remap-path-prefix={}=", folder.display()));
    Ok(flags.collect::<Vec<_>>().join("\u{1f}"))
}
