//! The packages that come from PyPI: the library of Standard Webhooks, which a receiver of the tests uses.

use crate::{child, project, say};
use anyhow::{Context, Result};
use fs_err as fs;
use std::path::PathBuf;
use std::process::Command;

/// The file that names each package, with its version and its hash.
const REQUIREMENTS: &str = "tests/shops/receivers/requirements.txt";

/// Installs exactly the packages of the tests, unless they are there; their folder, for `PYTHONPATH`.
pub(crate) fn python_packages() -> Result<PathBuf> {
    let wanted = fs::read(project::root().join(REQUIREMENTS))?;
    let folder = project::output("python-packages");
    // A copy of the installed list is kept beside the packages.
    let record = folder.join("installed.txt");
    if fs::read(&record).is_ok_and(|installed| installed == wanted) {
        return Ok(folder);
    }
    say::progress("tools", "packages of Python are being installed (pip)");
    child::run_ok_quietly(
        Command::new("python3")
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
            ])
            .args(["--root-user-action", "ignore", "--upgrade", "--no-deps"])
            .args(["--require-hashes", "--target"])
            .arg(&folder)
            .args(["--requirement", REQUIREMENTS])
            .current_dir(project::root()),
        "pip install",
    )
    .context("the packages of Python could not be installed; Debian has pip in python3-pip")?;
    fs::write(&record, wanted).context("could not note which packages of Python are installed")?;
    Ok(folder)
}
