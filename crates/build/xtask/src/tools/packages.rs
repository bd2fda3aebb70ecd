//! The packages that come from npm and from PyPI.
//!
//! `package.json` names the workspace's parts, which have one lock: `npm/tools` builds and checks the code (`wasm-opt`, the
//! bundler, the compiler of types, the linters), `tests` has Playwright, axe, the linters of packages and the schema of
//! OpenAPI, `tests/engines` old browsers and a driver, `docs/site` what builds the site. A chore installs only its part.
//! `examples/vendure` has a lock of its own. From PyPI comes the library of Standard Webhooks, which a receiver of the tests
//! uses.

use crate::{child, project, say};
use anyhow::{Context, Result, bail};
use fs_err as fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest Node that the packages support, Vite among them.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// The packages of one `package.json`, installed.
pub(crate) struct NodePackages {
    folder: PathBuf,
    modules: PathBuf,
}

impl NodePackages {
    /// A program of a package, to be run from the folder of the `package.json`.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.modules.join(".bin").join(program));
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
    install_part("npm/tools")
}

/// Installs the packages of the tests.
pub(crate) fn test_packages() -> Result<NodePackages> {
    install_part("tests")
}

/// Installs the old browsers, and what drives them. They are large, and no other step needs them.
pub(crate) fn engine_packages() -> Result<NodePackages> {
    install_part("tests/engines")
}

/// Installs what builds the site.
pub(crate) fn site_packages() -> Result<NodePackages> {
    install_part("docs/site")
}

/// Installs the shop system of `examples/vendure`. It is under the GPL, so nothing else may import it, and nothing of
/// it ships.
pub(crate) fn vendure_packages() -> Result<NodePackages> {
    let folder = project::root().join("examples/vendure");
    install(&folder, "npm-ci", &["ci"])?;
    let modules = folder.join("node_modules");
    Ok(NodePackages { folder, modules })
}

/// Adds a part of the workspace to what is installed. `npm ci` would remove the other parts.
fn install_part(part: &str) -> Result<NodePackages> {
    let root = project::root();
    let name = part.replace('/', "-");
    install(root, &name, &["install", "--no-save", "--workspace", part])?;
    Ok(NodePackages {
        folder: root.join(part),
        modules: root.join("node_modules"),
    })
}

/// Has npm install, with these words, exactly what the lock file of a folder names, unless a record of this name says that it
/// did.
fn install(folder: &Path, name: &str, words: &[&str]) -> Result<()> {
    check_node()?;
    let lock = folder.join("package-lock.json");
    let wanted = fs::read(&lock).with_context(|| {
        let folder = folder.display();
        format!("{folder}/package-lock.json is missing; `npm install` in {folder} writes it")
    })?;
    // npm's own record has another form than the lock file, so a copy of the installed lock file is kept beside it.
    let record = folder.join(format!("node_modules/.installed-{name}.json"));
    if fs::read(&record).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let shown = format!("npm {}", words.join(" "));
    say::progress(
        "tools",
        format!("npm packages are being installed ({shown})"),
    );
    child::run_ok_quietly(
        Command::new("npm")
            .args(words)
            // No package needs a script of its own to be run.
            .args(["--ignore-scripts", "--no-audit", "--no-fund"])
            .args(["--loglevel", "error"])
            // The browser comes from the system.
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .current_dir(folder),
        &shown,
    )
    .with_context(|| {
        let folder = folder.display();
        format!("the npm packages could not be installed; try `{shown}` in {folder} by hand")
    })?;
    if fs::read(&lock)? != wanted {
        fs::write(&lock, wanted)?;
        bail!(
            "a package.json asks for what package-lock.json does not have; `npm install --package-lock-only` in {} \
             writes the lock anew",
            folder.display()
        );
    }
    fs::write(&record, wanted).context("could not note which npm packages are installed")?;
    Ok(())
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
