//! The lines with which a page loads everything at once, rather than one file after another.

use crate::wasm::{Binary, Module};
use anyhow::{Context, Result};
use std::fs;

/// Lines for a page that serves the package's folder `element` as `/element`.
pub(super) fn lines(module: &Module) -> Result<String> {
    let folder = module.output();
    let mut names = Vec::new();
    let entries =
        fs::read_dir(&folder).with_context(|| format!("could not read {}", folder.display()))?;
    for entry in entries {
        let name = entry.context("could not list a folder")?.file_name();
        let name = name.to_string_lossy().into_owned();
        if name.ends_with(".js") && !module.later.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort();
    let Binary { file, .. } = Binary::of(module)?;
    let folder = module.folder;
    let mut lines = String::new();
    for name in names {
        lines.push_str(&format!(
            "<link rel=\"modulepreload\" href=\"/{folder}/{name}\">\n"
        ));
    }
    lines.push_str(&format!(
        "<link rel=\"preload\" as=\"fetch\" crossorigin href=\"/{folder}/{file}\">\n"
    ));
    Ok(lines)
}
