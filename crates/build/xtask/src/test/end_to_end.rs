//! Playwright's tests, against servers of their own.

use super::Selection;
use super::servers::Servers;
use super::tally::{self, Tally};
use crate::servers;
use crate::tools::{Browser, NodePackages};
use crate::wasm::{self, Edition};
use crate::{project, say, tools};
use anyhow::Result;
use std::path::PathBuf;

/// Twice as many as a small machine has cores: a page that loads takes a whole one, and tests that wait take none.
const WORKERS: usize = 4;

/// Starts the servers with empty databases, runs the tests, stops the servers.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    run_with(selection, 1)
}

/// As [`run`], with three nodes of the server on PostgreSQL, behind a proxy.
pub(super) fn run_on_nodes(selection: &Selection) -> Result<Tally> {
    run_with(selection, 3)
}

fn run_with(selection: &Selection, nodes: u16) -> Result<Tally> {
    let browser = tools::browser()?;
    let node = tools::test_packages()?;
    servers::build_tested()?;
    // The gallery, and in a quick run the elements, as the demo has them.
    wasm::build(Edition::Development)?;
    let pages = if selection.is_quick() {
        Edition::Development
    } else {
        wasm::build(Edition::Shipped)?;
        Edition::Shipped
    };

    let folder = project::output("e2e");
    let mut servers = Servers::start(&folder, WORKERS, nodes, pages)?;
    let playwright = Playwright {
        node: &node,
        browser: &browser,
        folder,
        selection,
    };
    playwright.run(&mut servers, "e2e", WORKERS)
}

/// Playwright, and the place of its pictures.
pub(super) struct Playwright<'a> {
    pub(super) node: &'a NodePackages,
    pub(super) browser: &'a Browser,
    pub(super) folder: PathBuf,
    pub(super) selection: &'a Selection,
}

impl Playwright<'_> {
    /// Runs the tests of one project of Playwright's configuration and counts them.
    pub(super) fn run(
        &self,
        servers: &mut Servers,
        project: &str,
        workers: usize,
    ) -> Result<Tally> {
        let mut command = self.node.command("playwright");
        let workers = workers.to_string();
        command.args(["test", "--project", project, "--workers", &workers]);
        if self.selection.is_quick() {
            command.args(["--grep", "@quick"]);
        }
        if !self.selection.is_long(project) {
            command.args(["--grep-invert", "@long"]);
        }
        let some = &self.selection.runner_arguments;
        if !some.is_empty() {
            // The selected tests may be in the other project.
            command.arg("--pass-with-no-tests").args(some);
        }
        command
            .env("CHROME", &self.browser.chrome)
            .env("CHROME_SHELL", &self.browser.shell)
            .env("SERVERS", servers.addresses().to_string())
            .env("RESULTS", &self.folder);
        let (mut tally, succeeded) = tally::read(&mut command)?;
        if !succeeded || some.is_empty() {
            tally = tally.judged(succeeded);
        }
        // A server that died explains more than the tests that failed by it.
        if let Err(error) = servers.check() {
            say!("error: {error:#}");
            tally += Tally::one(false);
        }
        Ok(tally)
    }
}
