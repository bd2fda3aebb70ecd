//! The element as the very files that a page loads: `target/element`.
//!
//! cargo compiles, wasm-bindgen writes the glue, both get short names, wasm-opt shrinks, the glue
//! gets brands of its own, and the hand-written modules of `www/element` are laid beside it, all
//! without their comments.

mod assemble;
mod bind;
mod comments;
mod compile;
mod glue;
mod names;
mod optimize;
pub(crate) mod sections;

use crate::{project, say, tools};
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What the glue and the wasm are called: `payment-checkout-wasm.js` beside
/// `payment-checkout-wasm_bg.wasm`, so that neither is mistaken for the element's own module.
pub(crate) const NAME: &str = "payment-checkout-wasm";

/// Where pages find the element's files.
pub(crate) fn folder() -> PathBuf {
    project::output("element")
}

/// The wasm of the last build with its names kept.
pub(crate) fn with_names() -> Result<PathBuf> {
    optimize::keep_names(&tools::for_build()?, &workbench())
}

/// Where the steps before that keep theirs.
fn workbench() -> PathBuf {
    project::output("wasm")
}

/// Builds the element, doing over only what changed.
pub(crate) fn build() -> Result<()> {
    let tools = tools::for_build()?;
    let start = Instant::now();
    let workbench = workbench();
    // A demo that watches its sources and a test may build in the same clone: one at a time.
    let _turn = turn(&workbench)?;
    let compiled = compile::run()?;
    let recipe = recipe()?;
    let fresh = is_made_from(&workbench, &compiled, &recipe)?;
    if !fresh {
        say::progress("wasm", "the glue is being written and the wasm made small");
        // Without this mark, what lies here counts as unfinished.
        drop(fs::remove_file(workbench.join("recipe")));
        bind::run(&tools, &compiled, &workbench)?;
        names::shorten(&tools, &workbench)?;
        optimize::run(&tools, &workbench)?;
        glue::rename(&workbench, &project::package_version()?)?;
        fs::copy(&compiled, workbench.join("compiled.wasm"))
            .context("could not keep a copy of the compiled wasm")?;
        fs::write(workbench.join("recipe"), &recipe).context("could not note the recipe")?;
    }
    assemble::run(&workbench, &folder())?;
    say::progress(
        "wasm",
        format!(
            "target/element is {} ({})",
            if fresh { "up to date" } else { "built" },
            say::duration(start.elapsed())
        ),
    );
    Ok(())
}

/// Waits until nobody else builds; the turn lasts as long as the file is open.
fn turn(workbench: &Path) -> Result<File> {
    fs::create_dir_all(workbench)
        .with_context(|| format!("could not make {}", workbench.display()))?;
    let file = File::create(workbench.join("lock")).context("could not make the lock file")?;
    file.lock().context("could not wait for another build")?;
    Ok(file)
}

/// Everything but the compiled wasm that the result depends on.
fn recipe() -> Result<String> {
    Ok(format!(
        "wasm-bindgen {}\npackage {}\nwasm-opt {}\n",
        project::wasm_bindgen_version()?,
        project::package_version()?,
        [optimize::FEATURES, optimize::FLAGS, optimize::STRIP]
            .concat()
            .join(" "),
    ))
}

fn is_made_from(workbench: &Path, compiled: &Path, recipe: &str) -> Result<bool> {
    let noted = fs::read_to_string(workbench.join("recipe")).unwrap_or_default();
    if noted != recipe {
        return Ok(false);
    }
    let new = fs::read(compiled)
        .with_context(|| format!("cargo did not leave {}", compiled.display()))?;
    Ok(fs::read(workbench.join("compiled.wasm")).is_ok_and(|old| old == new))
}
