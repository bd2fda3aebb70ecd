//! Runs cargo, which compiles Rust to wasm, with the WebAssembly features that the oldest supported browsers run without
//! faults.
//!
//! Safari 15 compiles modules with reference types, and then some of their calls trap. The standard
//! library as it is installed declares them, and several results of one function; the shipped edition
//! compiles its own without both. Then wasm-bindgen keeps JavaScript's values in an array.

use super::module::{self, Module};
use crate::tools::toolchain::{self, TARGET};
use crate::{child, project};
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// The features that the compiler may not use, as `rustc` and the module name them.
const WITHOUT: [&str; 2] = ["reference-types", "multivalue"];

/// The features that are left, as wasm-opt names them. Every browser has had them since 2021.
pub(super) const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
];

/// The compiler's flag.
fn without_features() -> String {
    let without = WITHOUT.map(|name| format!("-{name}"));
    format!("-Ctarget-feature={}", without.join(","))
}

/// Fails for a compiled module that declares one of the features.
pub(super) fn check_features(module: &[u8]) -> Result<()> {
    for name in WITHOUT {
        // A declaration is a prefix, the length of the name, and the name.
        let length = u8::try_from(name.len())?;
        let declared = [b"+", &[length][..], name.as_bytes()].concat();
        if module.windows(declared.len()).any(|part| part == declared) {
            bail!("the compiled wasm declares {name}, which the oldest browsers do not run well");
        }
    }
    Ok(())
}

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
    let mut flags = vec![toolchain::short_paths()?, without_features()];
    flags.extend(SMALLER.map(str::to_owned));
    Ok(flags.join("\u{1f}"))
}

#[cfg(test)]
mod tests {
    use super::check_features;

    #[test]
    fn a_feature_that_old_browsers_lack_is_found() {
        let section = b"\x0ftarget_features\x02+\x0freference-types+\x08sign-ext";
        assert!(check_features(section).is_err());
        assert!(
            check_features(b"\x0ftarget_features\x02-\x0freference-types+\x08sign-ext").is_ok()
        );
    }
}
