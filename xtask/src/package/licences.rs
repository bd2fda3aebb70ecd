//! The licences of everything inside the wasm of both elements, and of the glue, which minified files do not
//! name any more.

use crate::child;
use crate::wasm::{CHECKOUT, STAFF};
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

const HEAD: &str = "The wasm and the scripts of this package contain code of the packages below, and of the \
                    standard library of Rust (MIT OR Apache-2.0).\n";

/// The texts that a package may have, the first one preferred: one of its licences is enough.
const TEXTS: [&str; 6] = [
    "LICENSE-MIT",
    "LICENSE",
    "LICENSE.md",
    "LICENSE-APACHE",
    "LICENSE-BOOST",
    "COPYING",
];

/// All of them as one text: each package with its licence, then each wording once.
pub(super) fn text() -> Result<String> {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--format-version", "1", "--locked"]);
    command.args(["--filter-platform", "wasm32-unknown-unknown"]);
    let answer =
        child::answer(&mut command).context("cargo did not say what the wasm is made of")?;
    let metadata: Value =
        serde_json::from_str(&answer).context("cargo's metadata are written in another form")?;
    let mut lines = BTreeSet::new();
    let mut wordings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in inside(&metadata) {
        let field = |name: &str| package[name].as_str().unwrap_or_default();
        let name = format!("{} {}", field("name"), field("version"));
        lines.insert(format!(
            "{name}: {}, {}",
            field("license"),
            field("repository")
        ));
        if let Some(wording) = wording(Path::new(field("manifest_path"))) {
            wordings.entry(wording).or_default().insert(name);
        }
    }
    let mut text = HEAD.to_owned();
    for line in lines {
        text.push_str(&format!("\n{line}"));
    }
    for (wording, names) in wordings {
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        text.push_str(&format!("\n\n{}\n{names}\n\n{wording}", "-".repeat(72)));
    }
    Ok(text + "\n")
}

/// The packages from elsewhere that are linked into the elements. Macros run while it is compiled.
fn inside(metadata: &Value) -> Vec<&Value> {
    let list = |value: &'static str, of: &Value| of[value].as_array().cloned().unwrap_or_default();
    let packages: BTreeMap<&str, &Value> = by_id(&metadata["packages"]);
    let nodes = by_id(&metadata["resolve"]["nodes"]);
    let is_root = |package: &Value| {
        [CHECKOUT.package, STAFF.package]
            .iter()
            .any(|name| package["name"] == *name)
    };
    let mut left: Vec<String> = packages
        .iter()
        .filter(|(_, package)| is_root(package))
        .map(|(id, _)| (*id).to_owned())
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = left.pop() {
        let (Some(package), Some(node)) = (packages.get(id.as_str()), nodes.get(id.as_str()))
        else {
            continue;
        };
        let is_macro = package["targets"].to_string().contains("proc-macro");
        if is_macro || !seen.insert(id) {
            continue;
        }
        for dependency in list("deps", node) {
            // The kind of a dependency that is linked has no name.
            let kinds = list("dep_kinds", &dependency);
            if kinds.iter().any(|kind| kind["kind"].is_null()) {
                left.extend(dependency["pkg"].as_str().map(str::to_owned));
            }
        }
    }
    let foreign = seen.iter().filter_map(|id| packages.get(id.as_str()));
    foreign
        .filter(|package| !package["source"].is_null())
        .copied()
        .collect()
}

fn by_id(list: &Value) -> BTreeMap<&str, &Value> {
    let items = list.as_array().into_iter().flatten();
    items
        .filter_map(|item| Some((item["id"].as_str()?, item)))
        .collect()
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

#[cfg(test)]
mod tests {
    use super::inside;
    use serde_json::json;

    #[test]
    fn packages_that_are_linked_are_found_and_no_others() {
        let package = |id: &str, source: Option<&str>, kind: &str| json!({ "id": id, "name": id, "source": source, "targets": [{ "kind": [kind] }] });
        let needs = |id: &str, others: &[(&str, Option<&str>)]| {
            let others = others
                .iter()
                .map(|(id, kind)| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] }));
            json!({ "id": id, "deps": others.collect::<Vec<_>>() })
        };
        let registry = Some("registry");
        let metadata = json!({
            "packages": [
                package("checkout-element", None, "cdylib"),
                package("yew", registry, "lib"),
                package("macro", registry, "proc-macro"),
                package("test", registry, "lib"),
                package("server", registry, "lib"),
            ],
            "resolve": { "nodes": [
                needs("checkout-element", &[("yew", None), ("test", Some("dev"))]),
                needs("yew", &[("macro", None)]),
                needs("macro", &[]),
                needs("test", &[]),
                needs("server", &[]),
            ] },
        });
        let names: Vec<_> = inside(&metadata)
            .iter()
            .map(|package| package["name"].clone())
            .collect();
        assert_eq!(names, ["yew"]);
    }
}
