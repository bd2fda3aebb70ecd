//! The lines with which a page loads everything at once, rather than one file after another.

use crate::wasm::{Binary, CHECKOUT, Module, integrity_of};
use anyhow::{Context, Result, bail};
use std::env;
use std::fs;
use std::path::Path;

/// The place of the lines in a page.
const PLACE: &str = "<!-- preload -->";

/// Writes the lines into the page that Trunk has made: its hook after a build.
pub(crate) fn fill_page_of_trunk() -> Result<()> {
    let folder = env::var_os("TRUNK_STAGING_DIR").context("Trunk calls this, after a build")?;
    let page = Path::new(&folder).join("index.html");
    let text =
        fs::read_to_string(&page).with_context(|| format!("could not read {}", page.display()))?;
    if !text.contains(PLACE) {
        bail!("{} has no `{PLACE}`", page.display());
    }
    let filled = text.replace(PLACE, &lines(&CHECKOUT)?);
    fs::write(&page, filled).with_context(|| format!("could not write {}", page.display()))
}

/// Lines for a page that serves the package's folder `element` as `/element`.
pub(super) fn lines(module: &Module) -> Result<String> {
    let folder = module.folder;
    let entry = module
        .ways_in
        .first()
        .context("a module without a way in")?;
    let path = module.output().join(entry);
    let bytes = fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
    let script = integrity_of(&bytes);
    // A browser that ignores the integrity of such a line warns; the script checks it anyway.
    let Binary { file, .. } = Binary::of(module)?;
    Ok(format!(
        "<link rel=\"modulepreload\" href=\"/{folder}/{entry}\" integrity=\"{script}\">\n\
         <link rel=\"preload\" as=\"fetch\" crossorigin href=\"/{folder}/{file}\">\n"
    ))
}
