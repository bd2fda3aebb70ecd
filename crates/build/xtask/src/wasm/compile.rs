//! Runs cargo, which compiles Rust to wasm.

use super::baseline;
use super::module::{self, Module};
use crate::tools::toolchain::{self, TARGET};
use crate::{child, project};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// The standard library is compiled with the element, so that functions without a caller are left out.
const OWN_STD: [&str; 2] = [
    "-Zbuild-std=std,panic_abort",
    "-Zbuild-std-features=optimize_for_size",
];

/// A panic is a trap without a message, which the element notices at the border to JavaScript; no text
/// for people and no place in the source is kept.
const SMALLER: [&str; 10] = [
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    "-Zlocation-detail=none",
    "-Zfmt-debug=none",
    // Without these, LLVM makes faster forms of loops and of repeated work. They are more code, and code
    // that is less alike, so it compresses badly (1.6 KB of the download). They may go at the next toolchain.
    "-Cllvm-args=-disable-lsr",
    "-Cllvm-args=-enable-pre=false",
    "-Cllvm-args=-licm-max-num-uses-traversed=0",
    "-Cllvm-args=-disable-machine-licm",
    "-Cllvm-args=-disable-machine-cse",
    "-Cllvm-args=-phi-node-folding-threshold=0",
];

/// Compiles all modules for development. One call for all of them: with the features of one module the
/// shared dependencies would be compiled again for the next one.
pub(super) fn development() -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["build", "--lib", "--target", TARGET]);
    for module in &module::ALL {
        command.args(["--package", module.package]);
    }
    child::run_ok_quietly(&mut command, "the elements are compiled")
}

/// Compiles one module as it ships. Only this crate is built: what others want of a shared dependency
/// would make the wasm larger.
pub(super) fn shipped(module: &Module) -> Result<()> {
    let mut command = Command::new("cargo");
    // Without the rlib that tests link: it would keep functions that have no caller.
    command
        .args(["rustc", "--package", module.package, "--lib"])
        .args(["--crate-type", "cdylib"])
        .args(["--target", TARGET, "--profile", "wasm-release"])
        .args(OWN_STD)
        .env("CARGO_ENCODED_RUSTFLAGS", flags()?)
        // The flags are unstable: a pinned toolchain may use them with this.
        .env("RUSTC_BOOTSTRAP", "1");
    child::run_ok_quietly(&mut command, &format!("{} is compiled", module.package))
}

/// The wasm that cargo has compiled.
pub(super) fn compiled(module: &Module, profile: &str) -> Result<PathBuf> {
    let file = format!("{}.wasm", module.package.replace('-', "_"));
    Ok(project::cargo_target()?
        .join(TARGET)
        .join(profile)
        .join(file))
}

fn flags() -> Result<String> {
    let mut flags = vec![toolchain::short_paths()?, baseline::flag()];
    flags.extend(SMALLER.map(str::to_owned));
    Ok(flags.join("\u{1f}"))
}
