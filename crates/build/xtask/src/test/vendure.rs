//! The shop of `examples/vendure`: a whole shop system that customers and staff use, against the real server.

use super::Selection;
use super::tally::{Tally, check, count};
use crate::servers::{self, Profile};
use crate::wasm::{self, CHECKOUT, Edition};
use crate::{folders, project, tools};
use anyhow::Result;

/// Installs what the shop's lock file names, builds the shop, and plays its customers and staff in a browser.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let node = tools::test_packages()?;
    let browser = tools::browser()?;
    let shop = tools::vendure_packages()?;
    let mut tally = check(&mut shop.command("tsc"))?;
    servers::build_tested()?;
    wasm::build(Edition::Shipped)?;
    let results = project::output("vendure");
    // The databases of the last time would know its orders.
    folders::empty(&results)?;
    let mut tests = node.command("playwright");
    tests.args(["test", "--project", "vendure", "--workers", "1"]);
    tally += count(
        tests
            .args(&selection.runner_arguments)
            .env("CHROME", &browser.chrome)
            .env("CHROME_SHELL", &browser.shell)
            .env("ELEMENT", Edition::Shipped.output(&CHECKOUT))
            .env("PROGRAMS", Profile::Debug.folder()?)
            .env("RESULTS", &results),
    )?;
    Ok(tally)
}
