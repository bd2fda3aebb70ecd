//! The packages that come from npm: in `npm/tools/` those that build and check the code (`wasm-opt`,
//! the bundler, the manifest's analyzer, the compiler of types, the linters), in `tests/` Playwright, axe, the linters of
//! packages and the schema of OpenAPI, in `tests/engines/` old browsers and a driver, in `examples/vendure/` a shop system,
//! in `docs/site/` what builds the site.

use crate::{child, project, say};
use anyhow::{Context, Result, bail};
use fs_err as fs;
use std::path::PathBuf;
use std::process::Command;

/// The oldest Node that the packages support, Vite among them.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// The packages of one `package.json`, installed.
pub(crate) struct NodePackages {
    folder: PathBuf,
}

impl NodePackages {
    /// A program of a package, to be run from its folder.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.folder.join("node_modules/.bin").join(program));
        command.current_dir(&self.folder);
        command
    }

    /// A script beside the `package.json`, which can import the packages.
    pub(crate) fn script(&self, name: &str) -> Command {
        let mut command = Command::new("node");
        command.arg(self.folder.join(name));
        command
    }
}

/// Installs the packages that build and check the code.
pub(crate) fn build_packages() -> Result<NodePackages> {
    install("npm/tools")
}

/// Installs the packages of the tests.
pub(crate) fn test_packages() -> Result<NodePackages> {
    install("tests")
}

/// Installs the old browsers, and what drives them. They are large, and no other step needs them.
pub(crate) fn engine_packages() -> Result<NodePackages> {
    install("tests/engines")
}

/// Installs the shop system of `examples/vendure`. It is under the GPL, so nothing else may import it, and nothing of
/// it ships.
pub(crate) fn vendure_packages() -> Result<NodePackages> {
    install("examples/vendure")
}

/// Installs what builds the site.
pub(crate) fn site_packages() -> Result<NodePackages> {
    install("docs/site")
}

/// Installs exactly what the lock file of a folder names, unless that is there.
fn install(name: &str) -> Result<NodePackages> {
    check_node()?;
    let folder = project::root().join(name);
    let wanted = fs::read(folder.join("package-lock.json")).with_context(|| {
        format!("{name}/package-lock.json is missing; `npm install` in {name}/ writes it")
    })?;
    // npm's own record has another form than the lock file, so a copy of the installed lock file is
    // kept beside it.
    let record = folder.join("node_modules/.installed-package-lock.json");
    if fs::read(&record).is_ok_and(|installed| installed == wanted) {
        return Ok(NodePackages { folder });
    }
    say::progress(
        "tools",
        format!("npm packages are being installed (npm ci in {name}/)"),
    );
    child::run_ok_quietly(
        Command::new("npm")
            // No package needs a script of its own to be run.
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .args(["--loglevel", "error"])
            // The browser comes from the system.
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .current_dir(&folder),
        "npm ci",
    )
    .with_context(|| {
        format!("the npm packages could not be installed; try `npm ci` in {name}/ by hand")
    })?;
    fs::write(&record, wanted).context("could not note which npm packages are installed")?;
    Ok(NodePackages { folder })
}

fn check_node() -> Result<()> {
    let (major, minor) = OLDEST_NODE;
    let wanted = format!("install version {major}.{minor} or newer");
    let Some(said) = child::output(Command::new("node").arg("--version")) else {
        bail!("Node.js is missing: {wanted}, with npm, on the PATH");
    };
    if version(&said).is_some_and(|version| version >= OLDEST_NODE) {
        return Ok(());
    }
    bail!("Node.js {said} is too old: {wanted}")
}

/// Major and minor of `v20.19.4`.
fn version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.trim_start_matches('v').split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minors_count() {
        assert!(version("v20.9.0") < Some(OLDEST_NODE));
        assert!(version("v20.19.0") >= Some(OLDEST_NODE));
        assert!(version("v22.1.0") >= Some(OLDEST_NODE));
        assert_eq!(version("node"), None);
    }
}
