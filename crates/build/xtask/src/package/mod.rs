//! `cargo xtask package`: the npm package, as it is published, in `target/npm`.
//!
//! It has the files that the demo loads, what `npm` has about them, and the licences of what is inside.

mod guides;
pub(crate) mod licences;

use crate::names::Names;
use crate::wasm::{self, CHECKOUT, Edition, STAFF};
use crate::{child, folders, project, say};
use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fs_err as fs;
use serde_json::json;
use sha2::{Digest, Sha384};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package's name on npm, where a shorter one is taken.
const NAME: &str = "payment-checkout-element";

/// The custom-elements manifest, and what editors read about the elements.
const DESCRIPTIONS: [&str; 3] = [
    "custom-elements.json",
    "html-custom-data.json",
    "web-types.json",
];

/// The folder that is published.
pub(crate) fn folder() -> PathBuf {
    project::output("npm").join(NAME)
}

/// The file that `npm publish` sends.
pub(crate) fn tarball() -> Result<PathBuf> {
    let version = project::VERSION;
    Ok(project::output("npm").join(format!("{NAME}-{version}.tgz")))
}

/// Builds the package and packs it.
pub(crate) fn run() -> Result<()> {
    build()?;
    // As `npm publish` does.
    child::run_ok(
        Command::new("npm")
            .args(["pack", "--silent", "--pack-destination"])
            .arg(project::output("npm"))
            .current_dir(folder()),
    )?;
    say::progress(
        "package",
        format!(
            "{} is ready, and packed as {}",
            folder().display(),
            tarball()?.display()
        ),
    );
    Ok(())
}

/// Builds the elements and fills the folder anew.
pub(crate) fn build() -> Result<()> {
    fill(&folder(), Edition::Shipped)
}

/// Builds the package with the development edition of the elements, and returns its folder. A quick test imports it, since
/// the shipped edition takes minutes to build.
pub(crate) fn build_development() -> Result<PathBuf> {
    let folder = project::output("development").join(NAME);
    fill(&folder, Edition::Development)?;
    Ok(folder)
}

fn fill(folder: &Path, edition: Edition) -> Result<()> {
    wasm::build(edition)?;
    folders::empty(folder)?;
    let source = project::root().join("npm/element");
    for module in [&CHECKOUT, &STAFF] {
        folders::copy(&edition.output(module), &folder.join(module.folder))?;
    }
    for name in ["commands", "examples", "testing", "types"] {
        folders::copy(&source.join(name), &folder.join(name))?;
    }
    fs::write(folder.join("CHANGELOG.md"), guides::changelog()?)?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(project::root().join(name), folder.join(name))?;
    }
    examples(folder)?;
    guides::copy(&folder.join("docs"))?;
    for name in DESCRIPTIONS
        .iter()
        .chain(&["README.md", "AGENTS.md", "llms.txt"])
    {
        fs::copy(source.join(name), folder.join(name))?;
    }
    let manifest = fs::read_to_string(source.join("package.json"))?;
    fs::write(
        folder.join("package.json"),
        filled(&manifest, &Names::read()?, edition)?,
    )?;
    fs::write(
        folder.join("THIRD-PARTY-LICENSES.txt"),
        licences::of_elements()?,
    )?;
    let parts = [CHECKOUT.folder, STAFF.folder];
    fs::write(folder.join("integrity.json"), integrity(folder, &parts)?)?;
    Ok(())
}

/// What runs or draws in a page. Maps are for developers, and `preload.html` is copied into pages.
const LOADED: [&str; 3] = ["css", "js", "wasm"];

/// The hashes of the files that browsers load in these folders of the package, by their paths in it: a page pins them, and
/// `payment-checkout-element verify` compares a live page with them.
fn integrity(package: &Path, parts: &[&str]) -> Result<String> {
    let mut hashes = BTreeMap::new();
    for part in parts {
        for file in folders::files(&package.join(part))? {
            let ending = file.extension().and_then(|ending| ending.to_str());
            if !ending.is_some_and(|ending| LOADED.contains(&ending)) {
                continue;
            }
            let name = file.strip_prefix(package)?.to_str();
            let name = name.context("a file of the package has a name that is no text")?;
            let hash = Sha384::digest(fs::read(&file)?);
            hashes.insert(name.to_owned(), format!("sha384-{}", STANDARD.encode(hash)));
        }
    }
    let release = json!({ "version": project::VERSION, "files": hashes });
    Ok(serde_json::to_string_pretty(&release)? + "\n")
}

/// Copies the examples that the guides name, without what a person who tried one has left there.
fn examples(folder: &Path) -> Result<()> {
    let mut list = Command::new("git");
    list.args(["ls-files", "--"]).args(guides::EXAMPLES);
    let files = child::output(list.current_dir(project::root()));
    for name in files.context("git does not list the examples")?.lines() {
        let copy = folder.join(name);
        fs::create_dir_all(copy.parent().context("a file without a folder")?)?;
        fs::copy(project::root().join(name), copy)?;
    }
    Ok(())
}

/// The package's manifest with the version and the names of this build.
fn filled(manifest: &str, names: &Names, edition: Edition) -> Result<String> {
    let version = format!("\"version\": \"{}\"", project::VERSION);
    let mut filled = replaced(manifest, "\"version\": \"0.0.0\"", &version)?;
    // npm publishes no private package, and so none under a name that is not ours.
    if names.package_is_ours(NAME) {
        filled = replaced(&filled, "  \"private\": true,\n", "")?;
    }
    for module in [&CHECKOUT, &STAFF] {
        let placeholder = format!("{}-*.wasm", module.name());
        filled = replaced(&filled, &placeholder, &edition.wasm_file(module)?)?;
    }
    Ok(filled)
}

fn replaced(text: &str, placeholder: &str, value: &str) -> Result<String> {
    if !text.contains(placeholder) {
        bail!("npm/element/package.json lacks `{placeholder}`, which the build replaces");
    }
    Ok(text.replace(placeholder, value))
}
