//! What comes from npm: `wasm-opt` for the build, Playwright, axe and the schema of OpenAPI for
//! the tests.

use crate::{child, project, say};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The oldest Node that the packages run on.
const OLDEST_NODE: u32 = 20;

/// The packages of `tests/package.json`, installed.
pub(crate) struct NodePackages {
    folder: PathBuf,
}

impl NodePackages {
    /// A program that a package brings, to be run from the folder of the tests.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.folder.join("node_modules/.bin").join(program));
        command.current_dir(&self.folder);
        command
    }
}

/// Installs exactly what the lock file names, unless that is there.
pub(crate) fn install() -> Result<NodePackages> {
    check_node()?;
    let folder = project::root().join("tests");
    let wanted = fs::read(folder.join("package-lock.json"))
        .context("tests/package-lock.json is missing; `npm install` in tests/ writes it")?;
    // npm's own record differs from the lock file in form, so a copy of what was installed
    // is kept beside it.
    let record = folder.join("node_modules/.installed-package-lock.json");
    if fs::read(&record).is_ok_and(|installed| installed == wanted) {
        return Ok(NodePackages { folder });
    }
    say::progress(
        "tools",
        "npm packages are being installed (npm ci in tests/)",
    );
    child::must(
        Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund", "--loglevel", "error"])
            // The browser comes from the system.
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .current_dir(&folder),
    )
    .context("the npm packages could not be installed; try `npm ci` in tests/ by hand")?;
    fs::write(&record, wanted).context("could not note which npm packages are installed")?;
    Ok(NodePackages { folder })
}

fn check_node() -> Result<()> {
    let Some(said) = child::answer(Command::new("node").arg("--version")) else {
        bail!("Node.js is missing: install version {OLDEST_NODE} or newer, with npm, on the PATH");
    };
    let major = said
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|number| number.parse::<u32>().ok());
    match major {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        _ => bail!("Node.js {said} is too old: install version {OLDEST_NODE} or newer"),
    }
}
