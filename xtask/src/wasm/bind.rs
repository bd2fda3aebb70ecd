//! Runs wasm-bindgen, which writes the JavaScript glue and its types.

use super::{Module, floor};
use crate::child;
use crate::tools::BuildTools;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Writes the glue, its `.d.ts` and the wasm that goes with them into the module's workbench.
pub(crate) fn run(tools: &BuildTools, module: &Module, compiled: &Path) -> Result<()> {
    let workbench = module.workbench();
    let input = workbench.join("for-the-floor.wasm");
    let mut bytes =
        fs::read(compiled).with_context(|| format!("could not read {}", compiled.display()))?;
    floor::forbid(&mut bytes)?;
    fs::write(&input, bytes).with_context(|| format!("could not write {}", input.display()))?;
    child::must(
        Command::new(&tools.wasm_bindgen)
            .args(["--target", "web", "--out-name", module.glue, "--out-dir"])
            .arg(&workbench)
            .arg(&input),
    )?;
    // The later steps look for names in the glue, and its comments name other things.
    let glue = workbench.join(module.glue_file());
    child::must(
        tools
            .node
            .command("esbuild")
            .args([
                "--allow-overwrite",
                "--log-level=warning",
                "--minify-whitespace",
            ])
            .arg(format!("--outfile={}", glue.display()))
            .arg(&glue),
    )
}
