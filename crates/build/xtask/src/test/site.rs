//! The site of `cargo xtask site`, in a browser that asks no other host for anything.

use super::Selection;
use super::tally::{Tally, count};
use crate::{folders, package, project, site, tools};
use anyhow::Result;

/// A path that a link from the top of the host would miss.
const BASE: &str = "/some/path/";

/// Builds the site below a path, and opens it.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let node = tools::test_packages()?;
    let browser = tools::browser()?;
    package::build()?;
    let results = project::output("site-test");
    folders::empty(&results)?;
    let built = results.join("built");
    site::build(BASE, &built)?;
    let mut tests = node.command("playwright");
    tests.args(["test", "--project", "site", "--workers", "2"]);
    count(
        tests
            .args(&selection.runner_arguments)
            .env("CHROME", &browser.chrome)
            .env("CHROME_SHELL", &browser.shell)
            .env("SITE", &built)
            .env("SITE_BASE", BASE)
            .env("RESULTS", &results),
    )
}
