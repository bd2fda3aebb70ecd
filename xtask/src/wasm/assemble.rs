//! The last step: everything that a page loads, in one folder, all of one build.

use super::binary::Binary;
use super::{Module, comments, source_map, style};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// Fills a new folder and then replaces the old one with it, so that no program ever reads half a
/// build.
pub(crate) fn run(module: &Module) -> Result<()> {
    let (workbench, element) = (module.workbench(), module.output());
    let new = element.with_extension("new");
    let old = element.with_extension("old");
    for leftover in [&new, &old] {
        if leftover.exists() {
            fs::remove_dir_all(leftover)
                .with_context(|| format!("could not remove {}", leftover.display()))?;
        }
    }
    fs::create_dir_all(&new).with_context(|| format!("could not make {}", new.display()))?;
    let glue = module.glue_file();
    plain(&workbench.join(&glue), &new.join(&glue))?;
    plain(
        &workbench.join("small.wasm"),
        &new.join(Binary::of(module)?.file),
    )?;
    copy_modules(module, &new)?;
    if element.exists() {
        fs::rename(&element, &old).context("could not set the old build aside")?;
    }
    fs::rename(&new, &element).context("could not put the new build in its place")?;
    if old.exists() {
        fs::remove_dir_all(&old).context("could not remove the old build")?;
    }
    Ok(())
}

/// The hand-written part: the module's own files, and those that it shares.
fn copy_modules(module: &Module, to: &Path) -> Result<()> {
    let from = module.source();
    if !from.join(module.entry).is_file() {
        bail!(
            "www/{}/{} is missing; it is what registers the element",
            module.folder,
            module.entry
        );
    }
    copy_folder(&from, to)?;
    if module.is_element {
        copy_folder(&Module::shared(), to)?;
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    let entries =
        fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))?;
    for entry in entries {
        let path = entry.context("could not list the modules")?.path();
        let shipped = path
            .extension()
            .is_some_and(|extension| extension == "js" || extension == "css");
        if let (true, Some(name)) = (shipped, path.file_name()) {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

/// Copies a file that is written by hand without its comments; a module with a map to where they
/// are, with the style sheets that it imports written into it, and beside what it shares.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let copied = || -> Result<()> {
        let source = fs::read_to_string(from)?;
        if !name.ends_with(".js") {
            fs::write(to, comments::strip(&source).module)?;
            return Ok(());
        }
        let sheet = |name: &str| Ok(fs::read_to_string(from.with_file_name(name))?);
        let source = style::written_in(&source, sheet)?.replace("'../shared/", "'./");
        let map = format!("{name}.map");
        let stripped = comments::strip(&source);
        let module = format!("{}//# sourceMappingURL={map}\n", stripped.module);
        fs::write(to, module)?;
        let map_of = source_map::of(&name, &source, &stripped.lines);
        fs::write(to.with_file_name(&map), map_of)?;
        Ok(())
    };
    copied().with_context(|| format!("could not copy {} to {}", from.display(), to.display()))
}

/// Copies a file as it is.
fn plain(from: &Path, to: &Path) -> Result<()> {
    let copied = fs::copy(from, to);
    copied
        .map(drop)
        .with_context(|| format!("could not copy {} to {}", from.display(), to.display()))
}
