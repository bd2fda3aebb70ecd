//! The demo by `trunk serve`, as README says it: the servers in one terminal, the pages in another.

use super::Selection;
use super::end_to_end::Playwright;
use super::servers::Servers;
use super::tally::Tally;
use crate::child::Group;
use crate::stack::{self, Ports, Profile};
use crate::{http, interrupt, project, say, tools};
use anyhow::{Result, bail};
use fs_err as fs;
use std::thread;
use std::time::{Duration, Instant};

/// How long Trunk may take to build the elements and to serve the page.
const PATIENCE: Duration = Duration::from_secs(300);

/// Takes a payment through the pages that Trunk builds and serves. Trunk takes minutes to build, so only
/// `--all` and `--only` install it; else the step is for those who have it.
pub(crate) fn run(selection: &Selection) -> Result<Tally> {
    let Some(mut trunk) = tools::trunk(selection.is_long("trunk"))? else {
        say::progress("trunk", "NOT TESTED: Trunk is not installed");
        return Ok(Tally::default());
    };
    let (browser, node) = (tools::browser()?, tools::test_packages()?);
    stack::build_servers(Profile::Debug)?;
    let folder = project::output("trunk");
    fs::create_dir_all(&folder)?;
    Ports::DEMO.check(true)?;
    let mut servers = Servers::without_pages(&folder)?;
    let log = folder.join("trunk.log");
    let serve = trunk.args(["serve", "--skip-version-check"]);
    let mut serving = Group::start_with_log(serve, &log)?;
    let start = Instant::now();
    while http::status(Ports::DEMO.shop, "/") != Some(200) {
        interrupt::check()?;
        if serving.ended()?.is_some() || start.elapsed() > PATIENCE {
            bail!(
                "Trunk does not serve the page; its output is in {}",
                log.display()
            );
        }
        thread::sleep(Duration::from_millis(200));
    }
    let mut payment = selection.clone();
    payment.runner_arguments = [
        "qr.spec",
        "-g",
        "a payer walks from the shelf to the thanks",
    ]
    .map(str::to_owned)
    .to_vec();
    let playwright = Playwright {
        node: &node,
        browser: &browser,
        folder,
        selection: &payment,
    };
    playwright.run(&mut servers, "e2e", 1)
}
