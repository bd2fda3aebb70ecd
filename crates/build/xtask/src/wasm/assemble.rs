//! The last step: puts all files that a page loads into one folder, all from one build.

use super::Build;
use super::glue::Binary;
use super::module::{Bundle, CHECKOUT, Module};
use crate::{child, project};
use anyhow::{Context, Result};
use fs_err as fs;
use std::path::Path;

/// The lines with which a page loads script and wasm of the payer's element at once, rather than one after
/// the other. They are in the element's folder, so that a page that includes them has those of its build.
const PRELOAD: &str = "preload.html";

/// Fills a new folder and then replaces the old one with it, so that no program ever reads half a
/// build.
pub(super) fn run(build: &Build, module: &Module) -> Result<()> {
    let folder = build.edition.output(module);
    let new = folder.with_extension("new");
    let old = folder.with_extension("old");
    for leftover in [&new, &old] {
        if leftover.exists() {
            fs::remove_dir_all(leftover)?;
        }
    }
    fs::create_dir_all(&new)?;
    bundle(build, module, &new)?;
    let binary = Binary::of(build, module)?;
    fs::copy(
        build.work(module).join("finished.wasm"),
        new.join(&binary.file),
    )?;
    if *module == CHECKOUT {
        let lines = preload_lines(module, &binary)?;
        fs::write(new.join(PRELOAD), lines)?;
    }
    if folder.exists() {
        fs::rename(&folder, &old)?;
    }
    fs::rename(&new, &folder)?;
    if old.exists() {
        fs::remove_dir_all(&old)?;
    }
    Ok(())
}

/// esbuild makes the modules and style sheets of `www`, and the glue, the files that a page loads.
fn bundle(build: &Build, module: &Module, to: &Path) -> Result<()> {
    let (source, work) = (module.source(), build.work(module));
    let written =
        |bundle: &Bundle| format!("{}={}", source.join(bundle.source).display(), bundle.name);
    let mut command = build.tools.node.script("bundle.mjs");
    command
        .arg(project::VERSION)
        .arg(to)
        .arg(work.join(module.glue_file()))
        .args(module.entry_points.iter().map(written))
        .arg("--later")
        .args(module.later.iter().map(written))
        .args(module.texts()?.iter().map(|name| {
            let file = source.join("printed").join(name);
            format!("{}.ts={name}.js", file.display())
        }))
        // Maps name their sources from here.
        .current_dir(project::root());
    child::run_ok(&mut command)
}

/// The lines for a page that serves this folder of the payer's element as `/element`. They have no
/// `integrity`: a browser that refuses the script of a line refuses it for the whole page, so a cached script
/// of the build before would leave the payer without a checkout. The script checks the wasm.
fn preload_lines(module: &Module, binary: &Binary) -> Result<String> {
    let served = module.folder;
    let entry = module
        .entry_points
        .first()
        .context("a module without an entry point")?
        .name;
    let file = &binary.file;
    Ok(format!(
        "<link rel=\"modulepreload\" href=\"/{served}/{entry}\">\n\
         <link rel=\"preload\" as=\"fetch\" crossorigin href=\"/{served}/{file}\">\n"
    ))
}
