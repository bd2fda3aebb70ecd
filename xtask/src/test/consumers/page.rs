//! One page that uses the package: its own folder, its own packages, its own build.

use crate::{child, folders, package, project};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A page of `tests/consumers`, built in `target/consumers`.
pub(super) struct Page {
    source: PathBuf,
    folder: PathBuf,
}

impl Page {
    pub(super) fn named(name: &str) -> Self {
        Self {
            source: project::root().join("tests/consumers").join(name),
            folder: project::output("consumers").join(name),
        }
    }

    /// Installs the packages of its lock file and the packed package, and builds the page. True
    /// when that succeeded.
    pub(super) fn build(&self) -> Result<bool> {
        let lock = self.source.join("package-lock.json");
        let wanted = fs::read(&lock).unwrap_or_default();
        let record = self
            .folder
            .join("node_modules/.installed-package-lock.json");
        empty(&self.folder)?;
        folders::copy(&self.source, &self.folder)?;
        let installed = wanted.is_empty() || fs::read(&record).is_ok_and(|old| old == wanted);
        if !installed {
            if !child::run(&mut npm(&self.folder, &["ci"]))? {
                return Ok(false);
            }
            fs::write(&record, &wanted).context("could not note which packages are installed")?;
        }
        if !install_package(&self.folder)? {
            return Ok(false);
        }
        let manifest = fs::read_to_string(self.source.join("package.json"))
            .with_context(|| format!("{} has no package.json", self.source.display()))?;
        if manifest.contains("\"build\"") {
            return child::run(&mut npm(&self.folder, &["run", "build"]));
        }
        // This page needs no build: it has the package's folder beside it, as the README says.
        let installed = self.folder.join("node_modules/payment-checkout-element");
        folders::copy(&installed.join("element"), &self.folder.join("element"))?;
        Ok(true)
    }
}

/// Removes the files of an earlier run, except the packages, which take long to install.
pub(super) fn empty(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let entries =
        fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))?;
    for entry in entries {
        let path = entry.context("could not list a folder")?.path();
        let removed = match path.file_name() {
            Some(name) if name == "node_modules" => Ok(()),
            _ if path.is_dir() => fs::remove_dir_all(&path),
            _ => fs::remove_file(&path),
        };
        removed.with_context(|| format!("could not remove {}", path.display()))?;
    }
    Ok(())
}

/// Installs the packed package in place of any earlier one.
fn install_package(folder: &Path) -> Result<bool> {
    let old = folder.join("node_modules/payment-checkout-element");
    if old.exists() {
        fs::remove_dir_all(&old).with_context(|| format!("could not remove {}", old.display()))?;
    }
    let mut install = npm(folder, &["install", "--no-save", "--no-package-lock"]);
    child::run(install.arg(package::tarball()?))
}

/// npm with as little output as possible.
pub(super) fn npm(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command
        .args(words)
        .args(["--no-audit", "--no-fund", "--loglevel", "error"])
        .current_dir(folder);
    command
}
