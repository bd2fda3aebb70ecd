//! Lets the element guard the exports of its wasm.
//!
//! JavaScript enters the wasm through its exports alone: at calls of the element, and also when a timer
//! fires, an answer arrives or the payer presses something. The glue keeps the exports to itself, so it
//! gets a function that hands them to a guard first (`www/shared/guarded-exports.js`).

use super::Module;
use anyhow::{Context, Result, bail};
use std::fs;

const TAKEN: &str = "wasm=instance.exports;";

const GUARDED: &str = "wasm=guard(instance.exports);";

const SETTER: &str =
    "let guard=(exports)=>exports;export const guardWith=(given)=>{guard=given};\n";

/// The type of the function that [`add`] adds, for the type check of the modules that import it.
const DECLARED: &str = "export const guardWith: (guard: (exports: WebAssembly.Exports) => \
                        WebAssembly.Exports) => void;\n";

/// Adds the function to the glue in the module's workbench.
pub(crate) fn add(module: &Module) -> Result<()> {
    let path = module.workbench().join(module.glue_file());
    let glue =
        fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    fs::write(&path, guarded(&glue)?)
        .with_context(|| format!("could not write {}", path.display()))?;
    declare(&path.with_extension("d.ts"), DECLARED)
}

/// Adds a declaration to the glue's types, unless it is there.
pub(crate) fn declare(types: &std::path::Path, declaration: &str) -> Result<()> {
    let declared = || -> std::io::Result<()> {
        let written = fs::read_to_string(types)?;
        if written.contains(declaration) {
            return Ok(());
        }
        fs::write(types, written + declaration)
    };
    declared().with_context(|| format!("could not add to {}", types.display()))
}

fn guarded(glue: &str) -> Result<String> {
    if glue.matches(TAKEN).count() != 1 {
        bail!("the glue does not take the exports once: wasm-bindgen writes it in another way");
    }
    Ok(glue.replace(TAKEN, GUARDED) + SETTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exports_go_through_the_guard() {
        assert_eq!(
            guarded("x;wasm=instance.exports;y;\n").unwrap(),
            "x;wasm=guard(instance.exports);y;\n\
             let guard=(exports)=>exports;export const guardWith=(given)=>{guard=given};\n"
        );
    }

    #[test]
    fn glue_that_takes_them_otherwise_is_refused() {
        assert!(guarded("wasm=exports;").is_err());
    }
}
