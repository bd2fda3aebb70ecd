//! The standard library for browsers, beside the pinned toolchain.

use crate::{child, say};
use anyhow::{Context, Result};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// Adds the target unless it is there.
pub(crate) fn install() -> Result<()> {
    if is_there() {
        return Ok(());
    }
    say::progress("tools", format!("the target {TARGET} is being added"));
    child::must(Command::new("rustup").args(["target", "add", TARGET])).with_context(|| {
        format!(
            "Rust cannot compile for the browser yet: add the target {TARGET} to your toolchain \
             (with rustup: `rustup target add {TARGET}`)"
        )
    })
}

/// Asks the compiler itself, so that a toolchain without rustup works too.
fn is_there() -> bool {
    child::answer(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]))
        .is_some_and(|folder| {
            std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
        })
}
