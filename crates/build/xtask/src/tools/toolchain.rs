//! What the pinned toolchain needs besides itself to compile for browsers, and the nightly compiler, which few chores want.

use crate::{child, project, say};
use anyhow::{Context, Result};
use fs_err as fs;
use std::env;
use std::path::PathBuf;
use std::process::Command;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Adds the standard library for browsers unless it is there.
pub(crate) fn wasm_target() -> Result<()> {
    add_target(TARGET)
}

/// Adds the standard library for a target unless it is there. The compiler itself is asked, so that a toolchain
/// without rustup works too.
pub(crate) fn add_target(target: &str) -> Result<()> {
    let mut ask = Command::new("rustc");
    ask.args(["--print", "target-libdir", "--target", target]);
    let is_there = child::output(&mut ask)
        .and_then(|folder| fs::read_dir(folder).ok())
        .is_some_and(|mut entries| entries.next().is_some());
    if is_there {
        return Ok(());
    }
    say::progress("tools", format!("the target {target} is being added"));
    let mut add = Command::new("rustup");
    child::run_ok_quietly(add.args(["target", "add", target]), "rustup").with_context(|| {
        format!(
            "Rust cannot compile for {target} yet: add this target to your toolchain \
             (with rustup: `rustup target add {target}`)"
        )
    })
}

/// Adds the source of the standard library unless it is there: the shipped wasm compiles it anew.
pub(crate) fn rust_source() -> Result<()> {
    if source_folder()?.join("library/std/Cargo.toml").exists() {
        return Ok(());
    }
    say::progress(
        "tools",
        "the source of Rust's standard library is being added",
    );
    let mut add = Command::new("rustup");
    child::run_ok_quietly(add.args(["component", "add", "rust-src"]), "rustup").context(
        "Rust cannot compile its standard library for the shipped wasm: add the component rust-src to \
         your toolchain (with rustup: `rustup component add rust-src`)",
    )
}

/// The folder of that source.
pub(crate) fn source_folder() -> Result<PathBuf> {
    let sysroot = child::output(Command::new("rustc").args(["--print", "sysroot"]))
        .context("rustc does not say where its toolchain is")?;
    Ok(PathBuf::from(sysroot).join("lib/rustlib/src/rust"))
}

/// The name and version of the nightly compiler; `None` if there is none. Nothing is installed.
pub(crate) fn nightly() -> Option<String> {
    let mut ask = Command::new("rustc");
    let said = child::output(with_nightly(ask.arg("--version")))?;
    said.contains("nightly").then(|| said.trim().to_owned())
}

/// Lets a command use the nightly compiler.
pub(crate) fn with_nightly(command: &mut Command) -> &mut Command {
    command
        .env("RUSTUP_TOOLCHAIN", "nightly")
        .env("RUSTUP_AUTO_INSTALL", "0")
        // The cargo that runs this chore names itself to its children, and is the pinned one.
        .env_remove("CARGO")
}

/// The flags, as `CARGO_ENCODED_RUSTFLAGS` has them, that remove the builder's own folders from the names of source
/// files, which a program has for every possible panic: they are private, and they would make it differ between
/// machines.
pub(crate) fn short_paths() -> Result<String> {
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home =
        cargo_home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let folders = [
        Some(project::root().to_owned()),
        cargo_home.map(|home| home.join("registry/src")),
        Some(source_folder()?),
    ];
    let flags = folders
        .into_iter()
        .flatten()
        .map(|folder| format!("--remap-path-prefix={}=", folder.display()));
    Ok(flags.collect::<Vec<_>>().join("\u{1f}"))
}
