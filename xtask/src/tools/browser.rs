//! Chromium and the driver that controls it in the browser tests. Only tests need them.

use super::cargo_tool::find_on_path;
use super::debian;
use crate::child;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

const MISSING: &str = "the tests need Chromium and a chromedriver of the same version; install \
    them (Debian: `apt-get install chromium-headless-shell chromium-driver`) or say where they are \
    with the variables CHROME and CHROMEDRIVER";

/// The shell without windows first: the whole browser starts a process more for each page.
const BROWSERS: [&str; 4] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
];

/// A browser and its driver.
pub(crate) struct Browser {
    pub(crate) chrome: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Finds a browser, or installs Debian's if that is possible without a question.
pub(crate) fn install() -> Result<Browser> {
    if let Some(browser) = find()? {
        return check(browser);
    }
    if !debian::is_ours() {
        bail!("{MISSING}");
    }
    debian::install(
        "Chromium and its driver are",
        &["chromium-headless-shell", "chromium-driver"],
    )
    .context(MISSING)?;
    check(find()?.context(MISSING)?)
}

fn find() -> Result<Option<Browser>> {
    let chrome = named("CHROME", &BROWSERS)?;
    let driver = named("CHROMEDRIVER", &["chromedriver"])?;
    Ok(chrome
        .zip(driver)
        .map(|(chrome, driver)| Browser { chrome, driver }))
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
    let said = child::answer(Command::new(program).arg("--version"))?;
    said.split_whitespace()
        .find_map(|word| word.split_once('.')?.0.parse().ok())
}
