//! The last step: everything that a page loads, in one folder, all of one build.

use super::{NAME, comments};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// The module that a page names in its script tag.
const ENTRY: &str = "payment-checkout.js";

/// Fills a new folder and then puts it in the place of the old one, so that nobody ever reads
/// half a build.
pub(crate) fn run(workbench: &Path, element: &Path) -> Result<()> {
    let new = element.with_extension("new");
    let old = element.with_extension("old");
    for leftover in [&new, &old] {
        if leftover.exists() {
            fs::remove_dir_all(leftover)
                .with_context(|| format!("could not remove {}", leftover.display()))?;
        }
    }
    fs::create_dir_all(&new).with_context(|| format!("could not make {}", new.display()))?;
    copy(
        &workbench.join(format!("{NAME}.js")),
        &new.join(format!("{NAME}.js")),
    )?;
    copy(
        &workbench.join("small.wasm"),
        &new.join(format!("{NAME}_bg.wasm")),
    )?;
    copy_modules(&new)?;
    if element.exists() {
        fs::rename(element, &old).context("could not set the old build aside")?;
    }
    fs::rename(&new, element).context("could not put the new build in its place")?;
    if old.exists() {
        fs::remove_dir_all(&old).context("could not remove the old build")?;
    }
    Ok(())
}

/// The hand-written part: `www/element/*.js` and `*.css`.
fn copy_modules(to: &Path) -> Result<()> {
    let from = crate::project::root().join("www/element");
    if !from.join(ENTRY).is_file() {
        bail!("www/element/{ENTRY} is missing; it is what registers the element");
    }
    let entries =
        fs::read_dir(&from).with_context(|| format!("could not read {}", from.display()))?;
    for entry in entries {
        let path = entry.context("could not list www/element")?.path();
        let shipped = path
            .extension()
            .is_some_and(|extension| extension == "js" || extension == "css");
        if let (true, Some(name)) = (shipped, path.file_name()) {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

/// Copies a file; a module without its comments.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = if to.extension().is_some_and(|extension| extension == "js") {
        fs::read_to_string(from).and_then(|module| fs::write(to, comments::strip(&module)))
    } else {
        fs::copy(from, to).map(drop)
    };
    copied.with_context(|| format!("could not copy {} to {}", from.display(), to.display()))
}
