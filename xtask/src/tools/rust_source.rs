//! The source of the standard library, beside the pinned toolchain: the shipped wasm compiles it anew.

use crate::{child, say};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// Adds the source unless it is there.
pub(crate) fn install() -> Result<()> {
    if folder()?.join("library/std/Cargo.toml").exists() {
        return Ok(());
    }
    say::progress(
        "tools",
        "the source of Rust's standard library is being added",
    );
    child::must(Command::new("rustup").args(["component", "add", "rust-src"])).context(
        "Rust cannot compile its standard library for the shipped wasm: add the component rust-src to \
         your toolchain (with rustup: `rustup component add rust-src`)",
    )
}

/// The folder of the source.
pub(crate) fn folder() -> Result<PathBuf> {
    let sysroot = child::answer(Command::new("rustc").args(["--print", "sysroot"]))
        .context("rustc does not say where its toolchain is")?;
    Ok(PathBuf::from(sysroot.trim()).join("lib/rustlib/src/rust"))
}
