//! Builds the elements as the files that a page loads: `target/element` and `target/operations`,
//! and `target/gallery` with the screens of the first.
//!
//! cargo compiles, wasm-bindgen writes the glue, dead functions leave the table, both get short
//! names, wasm-opt shrinks, like functions come together, the glue gets brands of its own and the hash of its wasm, the wasm draws its
//! first screen once, which is kept as data, esbuild bundles all of it with the hand-written modules
//! of `www`, and the lines that preload both are written.

mod assemble;
mod bind;
mod bundle;
mod choice;
mod compile;
mod edition;
mod floor;
mod glue;
mod guard;
mod integrity;
mod languages;
mod module;
mod names;
mod optimize;
mod order;
pub(crate) mod preload;
pub(crate) mod sections;
mod shims;

use crate::tools::BuildTools;
use crate::{payer_texts, project, say, tools};
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::path::Path;
use std::time::Instant;

pub(crate) use edition::Edition;
pub(crate) use integrity::Binary;
pub(crate) use module::{CHECKOUT, Module, STAFF};

/// Builds the elements and the gallery as they ship, but only those that changed.
pub(crate) fn build() -> Result<()> {
    build_edition(Edition::Shipped)
}

/// The same in another edition.
pub(crate) fn build_edition(edition: Edition) -> Result<()> {
    let tools = tools::for_build()?;
    // A demo that watches its sources and a test may build in the same clone, so they take turns.
    let _turn = turn(&project::output("wasm"))?;
    module::ALL
        .iter()
        .try_for_each(|module| one(&tools, module, edition))
}

fn one(tools: &BuildTools, module: &Module, edition: Edition) -> Result<()> {
    let start = Instant::now();
    let workbench = module.workbench();
    fs::create_dir_all(&workbench)
        .with_context(|| format!("could not make {}", workbench.display()))?;
    let compiled = compile::run(module, edition)?;
    let recipe = recipe(edition)?;
    let fresh = is_made_from(&workbench, &compiled, &recipe)?;
    if !fresh {
        say::progress("wasm", "the glue is being written and the wasm made small");
        // Without this mark the folder counts as unfinished.
        drop(fs::remove_file(workbench.join("recipe")));
        bind::run(tools, module, &compiled)?;
        shims::drop_dead(module)?;
        names::shorten(tools, module)?;
        optimize::run(tools, module, edition)?;
        order::by_likeness(module, edition)?;
        glue::rename(module, &project::package_version()?)?;
        guard::add(module)?;
        integrity::seal(module)?;
        languages::write(module)?;
        choice::draw(tools, module)?;
        fs::copy(&compiled, workbench.join("compiled.wasm"))
            .context("could not keep a copy of the compiled wasm")?;
        fs::write(workbench.join("recipe"), &recipe).context("could not note the recipe")?;
    }
    assemble::run(tools, module)?;
    say::progress(
        "wasm",
        format!(
            "target/{} is {} ({})",
            module.folder,
            if fresh { "up to date" } else { "built" },
            say::duration(start.elapsed())
        ),
    );
    Ok(())
}

/// Waits until no other build runs. The lock lasts as long as the file is open.
fn turn(workbench: &Path) -> Result<File> {
    fs::create_dir_all(workbench)
        .with_context(|| format!("could not make {}", workbench.display()))?;
    let file = File::create(workbench.join("lock")).context("could not make the lock file")?;
    file.lock().context("could not wait for another build")?;
    Ok(file)
}

/// All inputs of the result besides the compiled wasm.
fn recipe(edition: Edition) -> Result<String> {
    Ok(format!(
        "{edition:?}\nwasm-bindgen {}\npackage {}\nwasm-opt {}\n{}\n{}\n",
        project::wasm_bindgen_version()?,
        project::package_version()?,
        [floor::FEATURES, optimize::FLAGS, optimize::STRIP]
            .concat()
            .join(" "),
        payer_texts::sources()?,
        // The steps that change the glue.
        concat!(
            include_str!("bind.rs"),
            include_str!("choice.rs"),
            include_str!("floor.rs"),
            include_str!("shims.rs"),
            include_str!("names.rs"),
            include_str!("order.rs"),
            include_str!("glue.rs"),
            include_str!("guard.rs"),
            include_str!("integrity.rs"),
            include_str!("languages.rs"),
            include_str!("../../../tools/choice.mjs"),
            include_str!("../../../www/element/amounts.js"),
        ),
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
