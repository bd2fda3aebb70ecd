//! The page that is itself a Yew app, with the crate's component or with the element of the package.

use super::page::empty;
use crate::tools::BuildTools;
use crate::{child, folders, package, project};
use anyhow::{Context, Result};
use std::fs;
use std::process::Command;

const EXAMPLE: &str = "yew_page";

/// Builds it in `target/consumers`. True when that succeeded.
pub(super) fn build(tools: &BuildTools) -> Result<bool> {
    let target = "wasm32-unknown-unknown";
    let compiled = child::run(
        Command::new("cargo")
            .args(["build", "--package", "payment-checkout"])
            .args(["--example", EXAMPLE, "--target", target]),
    )?;
    if !compiled {
        return Ok(false);
    }
    let folder = project::output("consumers").join("yew");
    empty(&folder)?;
    fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    let wasm = project::cargo_target()?
        .join(target)
        .join("debug/examples")
        .join(format!("{EXAMPLE}.wasm"));
    child::must(
        Command::new(&tools.wasm_bindgen)
            .args(["--target", "web", "--no-typescript", "--out-dir"])
            .arg(&folder)
            .arg(wasm),
    )?;
    let source = project::root().join("examples/yew_page");
    for name in ["index.html", "main.js"] {
        fs::copy(source.join(name), folder.join(name))
            .with_context(|| format!("could not copy {name}"))?;
    }
    folders::copy(&package::folder().join("element"), &folder.join("element"))?;
    Ok(true)
}
