//! cargo's part: Rust to wasm.

use crate::{child, project};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "wasm-release";

/// Compiles the component with the custom element's entry points; gives back the wasm.
pub(crate) fn run() -> Result<PathBuf> {
    child::must(
        Command::new("cargo")
            .args(["build", "--package", "payment-checkout", "--lib"])
            .args(["--features", "element"])
            .args(["--target", TARGET, "--profile", PROFILE]),
    )?;
    Ok(project::cargo_target()?
        .join(TARGET)
        .join(PROFILE)
        .join("payment_checkout.wasm"))
}
