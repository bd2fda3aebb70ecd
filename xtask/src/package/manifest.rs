//! The custom-elements manifest, from which tools know the elements, and what editors read out of it.

use crate::tools::NodePackages;
use crate::wasm::{CHECKOUT, STAFF};
use crate::{child, project};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// The manifest, and the same for VS Code and for JetBrains' editors.
const WRITTEN: [&str; 3] = [
    "custom-elements.json",
    "html-custom-data.json",
    "web-types.json",
];

/// Writes them into the package, whose `package.json` is there already.
pub(super) fn write(node: &NodePackages, package: &Path) -> Result<()> {
    // The analyzer reads what is under its own folder, and the shipped bundles have no comments.
    let folder = project::output("npm").join("manifest");
    // Pages take each class from another file than the one that has its source.
    for (module, source, class) in [
        (&CHECKOUT, "checkout.js", "element.js"),
        (&STAFF, "back-office.js", "operations.js"),
    ] {
        let to = folder.join(module.folder);
        fs::create_dir_all(&to).with_context(|| format!("could not make {}", to.display()))?;
        super::copy(&module.source().join(source), &to.join(class))?;
    }
    for script in ["manifest.config.mjs", "editors.mjs"] {
        super::copy(
            &project::root().join("npm").join(script),
            &folder.join(script),
        )?;
    }
    // Without a file of its own it would search all parent folders; name and version are told to editors.
    super::copy(&package.join("package.json"), &folder.join("package.json"))?;
    child::must(
        node.command("cem")
            .args(["analyze", "--quiet"])
            .args(["--config", "manifest.config.mjs", "--outdir", "."])
            .current_dir(&folder),
    )?;
    for name in WRITTEN {
        super::copy(&folder.join(name), &package.join(name))?;
    }
    Ok(())
}
