//! The custom-elements manifest, from which editors know the elements.

use crate::tools::NodePackages;
use crate::wasm::{CHECKOUT, STAFF};
use crate::{child, project};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Writes `custom-elements.json` into the package.
pub(super) fn write(node: &NodePackages, package: &Path) -> Result<()> {
    // The analyzer reads what is under its own folder, and the shipped bundles have no comments.
    let folder = project::output("npm").join("manifest");
    for (module, class) in [(&CHECKOUT, "element.js"), (&STAFF, "operations.js")] {
        let to = folder.join(module.folder);
        fs::create_dir_all(&to).with_context(|| format!("could not make {}", to.display()))?;
        super::copy(&module.source().join(class), &to.join(class))?;
    }
    let config = project::root().join("npm/manifest.config.mjs");
    let config = fs::canonicalize(&config).context("npm/manifest.config.mjs is missing")?;
    super::copy(&config, &folder.join("manifest.config.mjs"))?;
    // Without a file of its own it would search all parent folders.
    super::write(&folder.join("package.json"), "{\"type\": \"module\"}")?;
    child::must(
        node.command("cem")
            .args(["analyze", "--quiet"])
            .args(["--config", "manifest.config.mjs", "--outdir", "."])
            .current_dir(&folder),
    )?;
    super::copy(
        &folder.join("custom-elements.json"),
        &package.join("custom-elements.json"),
    )
}
