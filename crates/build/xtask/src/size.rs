//! `cargo xtask size`: the downloads of a browser and the package, against `crates/build/xtask/budget.toml`. Node compresses
//! them, because it has both formats, and no chore has to compile a compressor.

use crate::wasm::{CHECKOUT, Edition, Module, STAFF};
use crate::{child, folders, package, project};
use anyhow::{Context, Result};
use fs_err as fs;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use std::process::Command;

/// The most bytes of each group of files.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    element: usize,
    operations: usize,
    shop: usize,
    package: usize,
}

/// Builds the package and prints the sizes of its files. True when every group is within its budget.
pub(crate) fn measure() -> Result<bool> {
    package::run()?;
    let budget = project::root().join("crates/build/xtask/budget.toml");
    let budget = fs::read_to_string(&budget)?;
    let budget: Budget = toml::from_str(&budget).context("crates/build/xtask/budget.toml")?;
    let demo = project::root().join("www/demo");
    let mut shop = folders::files(&demo.join("shop"))?;
    shop.push(demo.join("index.html"));
    // The font's licence is beside it, and no page loads it.
    shop.retain(|file| file.extension().is_none_or(|kind| kind != "txt"));
    let group = |name: &str, most: usize, files: Vec<PathBuf>| json!({ "name": name, "most": most, "files": files });
    let mut element = group(
        "the payer's element until the QR",
        budget.element,
        at_once(&CHECKOUT)?,
    );
    element["stated"] = json!(["README.md", "README.es.md"].map(|name| project::root().join(name)));
    let groups = json!([
        element,
        group("the staff's element", budget.operations, at_once(&STAFF)?),
        group("the demo's shop around it", budget.shop, shop),
        group("the package", budget.package, vec![package::tarball()?]),
    ]);
    let script = project::root().join("npm/tools/size.mjs");
    child::run(Command::new("node").arg(script).arg(groups.to_string()))
}

/// The files that every page of a shop loads before the element works.
fn at_once(module: &Module) -> Result<Vec<PathBuf>> {
    let mut files = folders::files(&Edition::Shipped.output(module))?;
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        module.loads_at_once(&name)
    });
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn every_group_has_a_budget() {
        toml::from_str::<Budget>(include_str!("../budget.toml")).unwrap();
    }
}
