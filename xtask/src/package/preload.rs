//! The lines with which a page loads everything at once, rather than one file after another.

use crate::wasm::{Binary, Module, integrity_of};
use anyhow::{Context, Result};
use std::fs;

/// Lines for a page that serves the package's folder `element` as `/element`.
pub(crate) fn lines(module: &Module) -> Result<String> {
    let folder = module.folder;
    let entry = module.ways_in.first().context("a module without a way in")?;
    let path = module.output().join(entry);
    let bytes = fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
    let script = integrity_of(&bytes);
    let Binary { file, integrity } = Binary::of(module)?;
    Ok(format!(
        "<link rel=\"modulepreload\" href=\"/{folder}/{entry}\" integrity=\"{script}\">\n\
         <link rel=\"preload\" as=\"fetch\" crossorigin href=\"/{folder}/{file}\" integrity=\"{integrity}\">\n"
    ))
}
