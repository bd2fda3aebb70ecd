//! wasm-opt's part: as small as it gets.

use super::NAME;
use crate::child;
use crate::tools::BuildTools;
use anyhow::Result;
use std::path::Path;

/// What the compiler may use is named one by one, as the pinned Rust enables it for this
/// target: with `--all-features` wasm-opt writes imports in a form that no browser reads yet.
pub(crate) const FLAGS: &[&str] = &[
    "-Oz",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Shrinks the wasm twice: once for browsers, and once with its names kept, for those who
/// want to know what is in it.
pub(crate) fn run(tools: &BuildTools, workbench: &Path) -> Result<()> {
    let bound = workbench.join(format!("{NAME}_bg.wasm"));
    let named = workbench.join("named.wasm");
    let small = workbench.join("small.wasm");
    child::must(
        tools
            .node
            .command("wasm-opt")
            .args(FLAGS)
            .arg("--debuginfo")
            .arg(&bound)
            .arg("--output")
            .arg(&named),
    )?;
    child::must(
        tools
            .node
            .command("wasm-opt")
            .args(&FLAGS[1..])
            .args([
                "--strip-debug",
                "--strip-producers",
                "--strip-target-features",
            ])
            .arg(&named)
            .arg("--output")
            .arg(&small),
    )
}
