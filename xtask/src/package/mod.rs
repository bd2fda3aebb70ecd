//! `cargo xtask package`: the npm package, ready to publish, in `target/npm`.
//!
//! It has the files that the demo loads, the declarations of `npm/types`, and three files made
//! here: the manifest of the elements, the names of the texts, and the licences of what is inside.

mod licences;
mod manifest;
mod messages;

use crate::wasm::{self, CHECKOUT, Edition, STAFF};
use crate::{child, folders, project, say, tools};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package's name on npm, where a shorter one is taken.
const NAME: &str = "payment-checkout-element";

/// The folder that is published.
pub(crate) fn folder() -> PathBuf {
    project::output("npm").join(NAME)
}

/// The file that `npm publish` sends.
pub(crate) fn tarball() -> Result<PathBuf> {
    let version = project::package_version()?;
    Ok(project::output("npm").join(format!("{NAME}-{version}.tgz")))
}

/// Builds the package and packs it.
pub(crate) fn run() -> Result<()> {
    build()?;
    pack()?;
    say::progress(
        "package",
        format!(
            "{} is ready to publish, and packed as {}",
            folder().display(),
            tarball()?.display()
        ),
    );
    Ok(())
}

/// Builds the elements and fills the folder anew.
pub(crate) fn build() -> Result<()> {
    wasm::build(Edition::Shipped)?;
    let folder = folder();
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("could not remove {}", folder.display()))?;
    }
    let source = project::root().join("npm");
    for module in [&CHECKOUT, &STAFF] {
        folders::copy(
            &Edition::Shipped.output(module),
            &folder.join(module.folder),
        )?;
    }
    folders::copy(&source.join("types"), &folder.join("types"))?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md"] {
        copy(&project::root().join(name), &folder.join(name))?;
    }
    copy(&source.join("README.md"), &folder.join("README.md"))?;
    let manifest = fs::read_to_string(source.join("package.json"))
        .context("could not read npm/package.json")?;
    write(&folder.join("package.json"), &filled(&manifest)?)?;
    write(&folder.join("types/messages.d.ts"), &messages::declared()?)?;
    write(&folder.join("THIRD-PARTY-LICENSES.txt"), &licences::text()?)?;
    manifest::write(&tools::build_packages()?, &folder)
}

/// The package's manifest with the version and the names of this build.
fn filled(manifest: &str) -> Result<String> {
    let version = format!("\"version\": \"{}\"", project::package_version()?);
    let mut filled = replaced(manifest, "\"version\": \"0.0.0\"", &version)?;
    // The template itself must not be published.
    filled = replaced(&filled, "  \"private\": true,\n", "")?;
    for module in [&CHECKOUT, &STAFF] {
        let placeholder = format!("{}-*.wasm", module.name());
        filled = replaced(&filled, &placeholder, &wasm::shipped_file(module)?)?;
    }
    Ok(filled)
}

fn replaced(text: &str, placeholder: &str, value: &str) -> Result<String> {
    if !text.contains(placeholder) {
        bail!("npm/package.json lacks `{placeholder}`, which the build replaces");
    }
    Ok(text.replace(placeholder, value))
}

/// Packs with npm itself, as `npm publish` does.
pub(crate) fn pack() -> Result<()> {
    child::must(
        Command::new("npm")
            .args(["pack", "--silent", "--pack-destination"])
            .arg(project::output("npm"))
            .current_dir(folder()),
    )
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = fs::copy(from, to).map(drop);
    copied.with_context(|| format!("could not copy {} to {}", from.display(), to.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
}
