//! Chromium and the driver that controls it in the browser tests. Only tests need them.

use super::cargo_tool::find_on_path;
use super::debian;
use crate::child;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

const MISSING: &str = "the tests need Chromium and a chromedriver of the same version; install \
    them (Debian: `apt-get install chromium chromium-headless-shell chromium-driver`) or say where \
    they are with the variables CHROME and CHROMEDRIVER";

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The browser without windows, which starts a process less for each page.
const SHELL: &str = "chromium-headless-shell";

/// A browser and its driver.
pub(crate) struct Browser {
    /// The whole browser.
    pub(crate) chrome: PathBuf,
    /// The same without windows, or the whole one where there is no such thing.
    pub(crate) shell: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Finds a browser, or installs Debian's if that is possible without a question.
pub(crate) fn install() -> Result<Browser> {
    let mut found = find()?;
    if !found.as_ref().is_some_and(Browser::has_shell) && debian::is_ours() {
        let packages = ["chromium", SHELL, "chromium-driver"];
        let installed = debian::install("Chromium and its driver are", &packages);
        found = find()?;
        // A browser without the shell is enough.
        if found.is_none() {
            installed.context(MISSING)?;
        }
    }
    check(found.context(MISSING)?)
}

fn find() -> Result<Option<Browser>> {
    let chrome = named("CHROME", &BROWSERS)?;
    let driver = named("CHROMEDRIVER", &["chromedriver"])?;
    let chosen = std::env::var_os("CHROME").is_some();
    let shell = find_on_path(SHELL).filter(|_| !chosen);
    Ok(chrome.zip(driver).map(|(chrome, driver)| Browser {
        shell: shell.unwrap_or_else(|| chrome.clone()),
        chrome,
        driver,
    }))
}

impl Browser {
    /// True when there is nothing left to install.
    fn has_shell(&self) -> bool {
        self.shell != self.chrome || std::env::var_os("CHROME").is_some()
    }
}

/// Returns the variable's value, else the first of the usual names on the PATH.
fn named(variable: &str, usual: &[&str]) -> Result<Option<PathBuf>> {
    match std::env::var_os(variable) {
        Some(path) if Path::new(&path).is_file() => Ok(Some(PathBuf::from(path))),
        Some(path) => bail!("{variable} names {}, which is no file", path.display()),
        None => Ok(usual.iter().find_map(|name| find_on_path(name))),
    }
}

/// With different versions the tests fail much later, and without the reason.
fn check(browser: Browser) -> Result<Browser> {
    let chrome = major(&browser.chrome);
    let driver = major(&browser.driver);
    if chrome.is_none() || chrome != driver {
        bail!(
            "{} and {} are not of the same version; {MISSING}",
            browser.chrome.display(),
            browser.driver.display(),
        );
    }
    Ok(browser)
}

fn major(program: &Path) -> Option<u32> {
    let said = child::output(Command::new(program).arg("--version"))?;
    said.split_whitespace()
        .find_map(|word| word.split_once('.')?.0.parse().ok())
}
