//! Playwright's tests, against a stack of their own.

use super::Selection;
use super::tally::Tally;
use crate::stack::{self, Plan, Ports, Profile, Stack};
use crate::tools::{Browser, NodePackages, Trunk};
use crate::{child, project, say, tools, wasm};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The projects of Playwright's configuration, one run each. Tests that turn the sandbox's
/// clock or plan its faults would disturb all others, so they run when the others are through,
/// one at a time.
const PROJECTS: [(&str, &str); 2] = [("together", "2"), ("alone", "1")];

/// Starts the servers with an empty database, runs the tests, stops the servers.
pub(crate) fn run(selection: &Selection) -> Result<Tally> {
    let browser = tools::browser()?;
    let node = tools::test_packages()?;
    Trunk::install()?;
    stack::build_servers(Profile::Debug)?;
    wasm::build()?;

    let folder = project::output("e2e");
    let plan = Plan {
        ports: Ports::for_tests(),
        folder: folder.clone(),
        forget: true,
        watch: false,
        profile: Profile::Debug,
    };
    let mut stack = Stack::start(&plan)?;
    say::progress(
        "e2e",
        format!("logs and report are in {}", folder.display()),
    );
    let playwright = Playwright {
        node: &node,
        browser: &browser,
        plan: &plan,
        selection,
    };
    let mut sum = Tally::default();
    for (project, workers) in PROJECTS {
        sum += playwright.run(&mut stack, project, workers)?;
    }
    Ok(sum.judged(true))
}

/// Playwright, against the servers of a plan.
pub(super) struct Playwright<'a> {
    pub(super) node: &'a NodePackages,
    pub(super) browser: &'a Browser,
    pub(super) plan: &'a Plan,
    pub(super) selection: &'a Selection,
}

impl Playwright<'_> {
    /// Runs the tests of one project and counts them.
    pub(super) fn run(&self, stack: &mut Stack, project: &str, workers: &str) -> Result<Tally> {
        let address = |port: u16| format!("http://127.0.0.1:{port}");
        let ports = &self.plan.ports;
        let results = self.plan.folder.join(project);
        let report = results.join("report.json");
        // Yesterday's report must not be counted when today's is not written.
        drop(fs::remove_file(&report));
        let mut command = self.node.command("playwright");
        command.args(["test", "--project", project, "--workers", workers]);
        if !self.selection.playwright.is_empty() {
            // The selected tests may be in the other project.
            command
                .arg("--pass-with-no-tests")
                .args(&self.selection.playwright);
        }
        let succeeded = child::run(
            command
                .env("CHROME", &self.browser.chrome)
                .env("SHOP_URL", address(ports.shop))
                .env("BACKEND_URL", address(ports.backend))
                .env("SANDBOX_URL", address(ports.sandbox))
                .env("EVENTS_RECEIVER_URL", address(ports.receiver))
                .env("STAFF_PASSWORD", &stack.staff_password)
                .env("RESULTS", &results),
        )?;
        let mut sum = counted(&report)?;
        let asked_for_some = !self.selection.playwright.is_empty();
        if !(succeeded && asked_for_some) {
            sum = sum.judged(succeeded);
        }
        // A server that died explains more than the tests that failed by it.
        if let Err(error) = stack.check() {
            say!("error: {error:#}");
            return Ok(sum.judged(false));
        }
        Ok(sum)
    }
}

fn counted(report: &Path) -> Result<Tally> {
    let text = fs::read(report)
        .with_context(|| format!("Playwright left no report at {}", report.display()))?;
    let report: Value = serde_json::from_slice(&text).context("Playwright's report is no JSON")?;
    Ok(tally(&report))
}

/// A test that passed only at a second try counts as failed: a payment gets no second try.
fn tally(report: &Value) -> Tally {
    let count = |name: &str| report["stats"][name].as_u64().unwrap_or(0);
    Tally {
        passed: count("expected"),
        failed: count("unexpected") + count("flaky"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn flaky_tests_count_as_failed() {
        let stats = json!({"expected": 7, "unexpected": 1, "flaky": 2, "skipped": 3});
        let tally = tally(&json!({ "stats": stats }));
        assert_eq!((tally.passed, tally.failed), (7, 3));
    }
}
