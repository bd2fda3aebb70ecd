//! The sandbox as npm packages: one for each kind of machine, with the program, and one that starts the right program.

use super::programs::Program;
use crate::{child, folders, project};
use anyhow::{Context, Result};
use fs_err as fs;
use serde_json::json;
use std::path::Path;
use std::process::Command;

const PACKAGE: &str = "payment-checkout-sandbox";

/// Writes and packs the package of this machine's kind, and the one that starts it.
pub(super) fn make(programs: &[Program], folder: &Path) -> Result<()> {
    let sandbox = programs
        .iter()
        .find(|program| program.name == "payment-sandbox");
    let sandbox = sandbox.context("the sandbox was not built")?;
    let (os, cpu) = machine();
    let name = format!("{PACKAGE}-{os}-{cpu}");
    let of_machine = project::output("release-work").join(&name);
    folders::empty(&of_machine)?;
    fs::copy(&sandbox.path, of_machine.join("payment-sandbox"))?;
    let mut manifest = manifest(&name, "The payment sandbox for one kind of machine");
    manifest["os"] = json!([os]);
    manifest["cpu"] = json!([cpu]);
    manifest["files"] = json!(["payment-sandbox"]);
    write(&of_machine, &manifest)?;
    npm_pack(&of_machine, folder)?;
    let source = project::root().join("npm-sandbox");
    let starter = project::output("release-work").join(PACKAGE);
    folders::empty(&starter)?;
    folders::copy(&source, &starter)?;
    let text = fs::read_to_string(source.join("package.json"))?;
    let filled = text.replace("0.0.0", project::VERSION);
    fs::write(starter.join("package.json"), filled)?;
    npm_pack(&starter, folder)
}

/// The machine as npm names it.
fn machine() -> (&'static str, &'static str) {
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let cpu = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    (os, cpu)
}

fn manifest(name: &str, description: &str) -> serde_json::Value {
    json!({
        "name": name,
        "version": project::VERSION,
        "description": description,
        "license": "MIT OR Apache-2.0",
        "repository": {"type": "git", "url": "git+https://github.com/payment-checkout/payment-checkout.git"},
    })
}

fn write(folder: &Path, manifest: &serde_json::Value) -> Result<()> {
    let text = serde_json::to_string_pretty(manifest)?;
    Ok(fs::write(folder.join("package.json"), text + "\n")?)
}

fn npm_pack(package: &Path, folder: &Path) -> Result<()> {
    let mut pack = Command::new("npm");
    pack.args(["pack", "--silent", "--pack-destination"]);
    child::run_ok(pack.arg(folder).current_dir(package))
}
