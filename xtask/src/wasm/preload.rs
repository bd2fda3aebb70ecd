//! The lines with which a page loads script and wasm at once, rather than one after the other.

use super::integrity::Binary;
use super::{CHECKOUT, Module};
use anyhow::{Context, Result, bail};
use std::env;
use std::fs;
use std::path::Path;

/// The file that has them, in the folder of the payer's element: whoever serves the folder has the lines of its build.
const FILE: &str = "preload.html";

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
    let lines = CHECKOUT.output().join(FILE);
    let lines = fs::read_to_string(&lines)
        .with_context(|| format!("could not read {}", lines.display()))?;
    let filled = text.replace(PLACE, &lines);
    fs::write(&page, filled).with_context(|| format!("could not write {}", page.display()))
}

/// Writes the lines for a page that serves this folder of the payer's element as `/element`.
pub(super) fn write(module: &Module, folder: &Path) -> Result<()> {
    if *module != CHECKOUT {
        return Ok(());
    }
    let path = folder.join(FILE);
    fs::write(&path, lines(module)?).with_context(|| format!("could not write {}", path.display()))
}

/// The lines have no `integrity`. A browser that refuses the script of a line refuses it for the whole page, so a
/// cached script of the build before would leave the payer without a checkout. The script checks the wasm.
fn lines(module: &Module) -> Result<String> {
    let served = module.folder;
    let entry = module
        .ways_in
        .first()
        .context("a module without a way in")?;
    let Binary { file, .. } = Binary::of(module)?;
    Ok(format!(
        "<link rel=\"modulepreload\" href=\"/{served}/{entry}\">\n\
         <link rel=\"preload\" as=\"fetch\" crossorigin href=\"/{served}/{file}\">\n"
    ))
}
