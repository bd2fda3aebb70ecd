//! Takes the choice of methods out of the wasm, as data, so that a page shows it before the wasm is there.

use super::{CHECKOUT, Module};
use crate::child;
use crate::tools::BuildTools;
use anyhow::Result;

/// The file with the data, beside the glue.
const FILE: &str = "payment-checkout-choice.js";

/// Writes the data into the module's workbench, if it is the module that has such a screen.
pub(crate) fn draw(tools: &BuildTools, module: &Module) -> Result<()> {
    if *module != CHECKOUT {
        return Ok(());
    }
    let workbench = module.workbench();
    child::must(
        tools
            .node
            .script("choice.mjs")
            .arg(workbench.join(module.glue_file()))
            .arg(workbench.join("small.wasm"))
            .arg(workbench.join(FILE)),
    )
}
