//! wasm-bindgen's part: the JavaScript glue and its types.

use super::Module;
use crate::child;
use crate::tools::BuildTools;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Writes the glue, its `.d.ts` and the wasm that goes with them into the module's workbench.
pub(crate) fn run(tools: &BuildTools, module: &Module, compiled: &Path) -> Result<()> {
    child::must(
        Command::new(&tools.wasm_bindgen)
            .args(["--target", "web", "--out-name", module.glue, "--out-dir"])
            .arg(module.workbench())
            .arg(compiled),
    )
}
