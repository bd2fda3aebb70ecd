//! `cargo xtask package`: the npm package, ready to publish, in `target/npm`.
//!
//! It has the files that the demo loads, the declarations of `npm/types`, and three files made
//! here: the manifest of the elements, the names of the texts, and the licences of what is inside.

mod licences;

use crate::tools::NodePackages;
use crate::wasm::{self, CHECKOUT, Edition, STAFF};
use crate::{child, folders, payer_texts, project, say, tools};
use anyhow::{Result, bail};
use fs_err as fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package's name on npm, where a shorter one is taken.
const NAME: &str = "payment-checkout-element";

/// Writes the custom-elements manifest, and the completion data that editors take, made from the manifest.
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
    child::must(
        Command::new("npm")
            .args(["pack", "--silent", "--pack-destination"])
            .arg(project::output("npm"))
            .current_dir(folder()),
    )?;
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
    folders::empty(&folder)?;
    let source = project::root().join("npm");
    for module in [&CHECKOUT, &STAFF] {
        folders::copy(
            &Edition::Shipped.output(module),
            &folder.join(module.folder),
        )?;
    }
    folders::copy(&source.join("types"), &folder.join("types"))?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md"] {
        fs::copy(project::root().join(name), folder.join(name))?;
    }
    fs::copy(source.join("README.md"), folder.join("README.md"))?;
    let manifest = fs::read_to_string(source.join("package.json"))?;
    fs::write(folder.join("package.json"), filled(&manifest)?)?;
    fs::write(folder.join("types/messages.d.ts"), message_keys()?)?;
    fs::write(folder.join("THIRD-PARTY-LICENSES.txt"), licences::text()?)?;
    describe(&tools::build_packages()?, &folder)
}

/// The package's manifest with the version and the names of this build.
fn filled(manifest: &str) -> Result<String> {
    let version = format!("\"version\": \"{}\"", project::VERSION);
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

/// Writes the descriptions of the elements into the package, whose `package.json` is there already.
fn describe(node: &NodePackages, package: &Path) -> Result<()> {
    // The analyzer reads what is under its own folder, and the shipped bundles have no comments.
    let folder = project::output("npm").join("manifest");
    // Pages take each class from another file than the one that has its source. The manifest names that file, with the
    // ending that it is published with.
    for (module, source, class) in [
        (&CHECKOUT, "checkout-element.ts", "element.ts"),
        (&STAFF, "operations-element.ts", "operations.ts"),
    ] {
        let to = folder.join(module.folder);
        fs::create_dir_all(&to)?;
        fs::copy(module.source().join(source), to.join(class))?;
    }
    for script in ["manifest.config.mjs", "editors.mjs"] {
        fs::copy(
            project::root().join("npm").join(script),
            folder.join(script),
        )?;
    }
    // The analyzer reads name and version from this file; without it, it would search all parent folders.
    fs::copy(package.join("package.json"), folder.join("package.json"))?;
    child::must(
        node.command("cem")
            .args(["analyze", "--quiet"])
            .args(["--config", "manifest.config.mjs", "--outdir", "."])
            .current_dir(&folder),
    )?;
    for name in DESCRIPTIONS {
        fs::copy(folder.join(name), package.join(name))?;
    }
    Ok(())
}

/// A declaration with the key of every text that a page can override, for developers who use TypeScript.
fn message_keys() -> Result<String> {
    let names = payer_texts::names()?;
    let union: String = names
        .iter()
        .map(|name| format!("\n  | '{}'", name.key))
        .collect();
    let comment = "/** A text that a page can override. */";
    Ok(format!("{comment}\nexport type MessageKey ={union};\n"))
}
