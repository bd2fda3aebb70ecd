//! The last step: puts all files that a page loads into one folder, all from one build.

use super::integrity::Binary;
use super::{Module, bundle, preload};
use crate::tools::BuildTools;
use anyhow::{Context, Result};
use std::fs;

/// Fills a new folder and then replaces the old one with it, so that no program ever reads half a
/// build.
pub(crate) fn run(tools: &BuildTools, module: &Module) -> Result<()> {
    let element = module.output();
    let new = element.with_extension("new");
    let old = element.with_extension("old");
    for leftover in [&new, &old] {
        if leftover.exists() {
            fs::remove_dir_all(leftover)
                .with_context(|| format!("could not remove {}", leftover.display()))?;
        }
    }
    fs::create_dir_all(&new).with_context(|| format!("could not make {}", new.display()))?;
    bundle::run(tools, module, &new)?;
    fs::copy(
        module.workbench().join("small.wasm"),
        new.join(Binary::of(module)?.file),
    )
    .context("could not copy the wasm to the modules that load it")?;
    preload::write(module, &new)?;
    if element.exists() {
        fs::rename(&element, &old).context("could not set the old build aside")?;
    }
    fs::rename(&new, &element).context("could not put the new build in its place")?;
    if old.exists() {
        fs::remove_dir_all(&old).context("could not remove the old build")?;
    }
    Ok(())
}
