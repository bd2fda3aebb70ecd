//! The licences of everything inside the wasm of both elements and their glue, which minified files do not name any
//! more, and of everything inside a program. cargo-about would find them too, but takes minutes to build, and a landing makes the package.

use crate::child;
use crate::tools::toolchain::TARGET;
use crate::wasm::{CHECKOUT, STAFF};
use anyhow::{Context, Result};
use fs_err as fs;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const ELEMENTS: &str = "The wasm and the scripts of this package contain code of the packages below, and of the \
                        standard library of Rust (MIT OR Apache-2.0).\n";
const PROGRAM: &str = "This program contains code of the packages below, of the standard library of Rust \
                       (MIT OR Apache-2.0), and on Linux of musl (MIT).\n";

/// The texts that a package may have, the first one preferred: one of its licences is enough.
const TEXTS: [&str; 6] = [
    "LICENSE-MIT",
    "LICENSE",
    "LICENSE.md",
    "LICENSE-APACHE",
    "LICENSE-BOOST",
    "COPYING",
];

/// Those of the elements of the npm package.
pub(crate) fn of_elements() -> Result<String> {
    text(ELEMENTS, TARGET, &[CHECKOUT.package, STAFF.package])
}

/// Those of a program on every kind of machine.
pub(crate) fn of_program(package: &str) -> Result<String> {
    text(PROGRAM, "all", &[package])
}

/// All of them as one text: each package with its licence, then each wording once.
fn text(head: &str, target: &str, roots: &[&str]) -> Result<String> {
    let linked = linked(target, roots)?;
    let mut command = Command::new("cargo");
    command.args(["metadata", "--format-version", "1", "--locked"]);
    if target != "all" {
        command.args(["--filter-platform", target]);
    }
    let metadata = child::output(&mut command).context("cargo did not describe its packages")?;
    let metadata: Value =
        serde_json::from_str(&metadata).context("cargo's metadata are written in another form")?;
    let mut lines = BTreeSet::new();
    let mut wordings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let field = |name: &str| package[name].as_str().unwrap_or_default();
        let (name, version) = (field("name"), field("version"));
        if package["source"].is_null() || !linked.contains(&format!("{name} v{version}")) {
            continue;
        }
        let (licence, repository) = (field("license"), field("repository"));
        lines.insert(format!("{name} {version}: {licence}, {repository}"));
        if let Some(wording) = wording(Path::new(field("manifest_path"))) {
            let names = wordings.entry(wording).or_default();
            names.insert(format!("{name} {version}"));
        }
    }
    let mut text = head.to_owned();
    for line in lines {
        text.push_str(&format!("\n{line}"));
    }
    for (wording, names) in wordings {
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        text.push_str(&format!("\n\n{}\n{names}\n\n{wording}", "-".repeat(72)));
    }
    Ok(text + "\n")
}

/// The packages that are linked into these ones, as `name v1.2.3`. Macros run while it is compiled.
fn linked(target: &str, roots: &[&str]) -> Result<BTreeSet<String>> {
    let mut tree = Command::new("cargo");
    tree.args(["tree", "--locked", "--target", target, "--prefix", "none"])
        .args(["--edges", "normal,no-proc-macro", "--format", "{p}"]);
    for root in roots {
        tree.args(["--package", root]);
    }
    let tree = child::output(&mut tree).context("cargo did not list what is linked")?;
    let packages = tree.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some(format!("{} {}", words.next()?, words.next()?))
    });
    Ok(packages.collect())
}

/// The wording of a licence of the package with this manifest, if its authors added one.
fn wording(manifest: &Path) -> Option<String> {
    let folder = manifest.parent()?;
    let text = TEXTS
        .iter()
        .find_map(|name| fs::read_to_string(folder.join(name)).ok())?;
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    Some(lines.join("\n"))
}
