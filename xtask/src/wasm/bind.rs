//! wasm-bindgen's part: the JavaScript glue and its types.

use super::NAME;
use crate::child;
use crate::tools::BuildTools;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Writes the glue, its `.d.ts` and the wasm that goes with them into `workbench`.
pub(crate) fn run(tools: &BuildTools, compiled: &Path, workbench: &Path) -> Result<()> {
    child::must(
        Command::new(&tools.wasm_bindgen)
            .args(["--target", "web", "--out-name", NAME, "--out-dir"])
            .arg(workbench)
            .arg(compiled),
    )
}
