//! esbuild's part: the modules and style sheets of `www` as the files that a page loads, minified,
//! with maps to their sources.

use super::Module;
use crate::tools::BuildTools;
use crate::{child, project};
use anyhow::Result;
use std::path::Path;

/// Writes a module's bundles into a folder; its glue is in those that a page loads first.
pub(crate) fn run(tools: &BuildTools, module: &Module, to: &Path) -> Result<()> {
    let source = module.source();
    child::must(
        tools
            .node
            .script("bundle.mjs")
            // All packages have the workspace's version.
            .arg(env!("CARGO_PKG_VERSION"))
            .arg(to)
            .arg(module.workbench().join(module.glue_file()))
            .args(module.ways_in.iter().map(|entry| source.join(entry)))
            .arg("--later")
            .args(module.later.iter().map(|entry| source.join(entry)))
            .args(
                module
                    .texts
                    .iter()
                    .map(|file| module.workbench().join(file)),
            )
            // Maps name their sources from here.
            .current_dir(project::root()),
    )
}
