//! Playwright's tests, against servers of their own.

use super::Selection;
use super::servers::Servers;
use super::tally::Tally;
use crate::stack;
use crate::tools::{Browser, NodePackages, Trunk};
use crate::wasm::{self, Edition};
use crate::{child, project, say, tools};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Twice as many as a small machine has cores: a page that loads takes a whole one, and tests that wait take none.
const WORKERS: usize = 4;

/// Starts the servers with empty databases, runs the tests, stops the servers.
pub(crate) fn run(selection: &Selection) -> Result<Tally> {
    run_with(selection, Edition::Shipped, 1)
}

/// The same with three nodes of the server on PostgreSQL, behind a proxy.
pub(crate) fn run_on_nodes(selection: &Selection) -> Result<Tally> {
    run_with(selection, Edition::Shipped, 3)
}

/// Payments by QR in the edition for a developer who looks for a fault. Its compiler works otherwise, so steps
/// that fit the shipped wasm may break this one.
pub(crate) fn run_diagnostic(selection: &Selection) -> Result<Tally> {
    let mut payments = selection.clone();
    payments.playwright = vec!["qr.spec".to_owned()];
    run_with(&payments, Edition::Diagnostic, 1)
}

fn run_with(selection: &Selection, edition: Edition, nodes: u16) -> Result<Tally> {
    let browser = tools::browser()?;
    let node = tools::test_packages()?;
    Trunk::install()?;
    stack::build_tested_servers()?;
    wasm::build_edition(edition)?;

    let folder = project::output("e2e");
    let mut servers = Servers::start(&folder, WORKERS, nodes, edition)?;
    let playwright = Playwright {
        node: &node,
        browser: &browser,
        folder,
        selection,
    };
    let sum = playwright.run(&mut servers, "e2e", WORKERS)?;
    Ok(sum.judged(true))
}

/// Playwright, and the place of its reports.
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
        let report = self.folder.join("report.json");
        // Yesterday's report must not be counted when today's is not written.
        drop(fs::remove_file(&report));
        let mut command = self.node.command("playwright");
        let workers = workers.to_string();
        command.args(["test", "--project", project, "--workers", &workers]);
        if !self.selection.is_long(project) {
            command.args(["--grep-invert", "@long"]);
        }
        if !self.selection.playwright.is_empty() {
            // The selected tests may be in the other project.
            command
                .arg("--pass-with-no-tests")
                .args(&self.selection.playwright);
        }
        let succeeded = child::run(
            command
                .env("CHROME", &self.browser.chrome)
                .env("CHROME_SHELL", &self.browser.shell)
                .env("SERVERS", servers.addresses().to_string())
                .env("RESULTS", &self.folder)
                // The report would have the colors in its texts.
                .env("FORCE_COLOR", "0"),
        )?;
        let mut sum = counted(&report)?;
        let asked_for_some = !self.selection.playwright.is_empty();
        if !(succeeded && asked_for_some) {
            sum = sum.judged(succeeded);
        }
        // A server that died explains more than the tests that failed by it.
        if let Err(error) = servers.check() {
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
        failures: failures(report, ""),
    }
}

/// The tests of a suite that failed, with file, line, titles and the beginning of the reason.
fn failures(suite: &Value, titles: &str) -> Vec<String> {
    let each = |name: &str| suite[name].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut found = Vec::new();
    for inner in each("suites") {
        // A file's own suite is titled by the file, which is named anyway.
        let title = text(&inner["title"]);
        let of_file = inner["title"] == inner["file"];
        let titles = if of_file {
            titles.to_owned()
        } else {
            format!("{titles}{title} › ")
        };
        found.extend(failures(inner, &titles));
    }
    for spec in each("specs").filter(|spec| spec["ok"] == false) {
        let reason = spec["tests"][0]["results"][0]["error"]["message"].as_str();
        let reason = reason.unwrap_or("no reason in the report");
        let lines = reason.lines().filter(|line| !line.trim().is_empty());
        // A comparison has the expected value and the other one in lines of their own.
        let reason: Vec<_> = lines.take(3).map(str::trim).collect();
        found.push(format!(
            "{}:{} {titles}{}: {}",
            text(&spec["file"]),
            spec["line"],
            text(&spec["title"]),
            reason.join(" "),
        ));
    }
    found
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

    #[test]
    fn tests_that_failed_are_named_with_their_reason() {
        let failed = |file: &str, title: &str| {
            let error = json!({"message": "Error: not the same\n\nExpected: 0\nReceived: 1\n\n  at line 7"});
            let results = json!([{"results": [{"error": error}]}]);
            json!({"file": file, "line": 7, "title": title, "ok": false, "tests": results})
        };
        let passed = json!({"file": "qr.spec.mjs", "line": 3, "title": "pays", "ok": true});
        let inner = json!({"title": "offline", "file": "qr.spec.mjs", "specs": [failed("qr.spec.mjs", "waits")]});
        let file = json!({
            "title": "qr.spec.mjs",
            "file": "qr.spec.mjs",
            "suites": [inner],
            "specs": [passed],
        });
        assert_eq!(
            tally(&json!({"stats": {"unexpected": 1}, "suites": [file]})).failures,
            ["qr.spec.mjs:7 offline › waits: Error: not the same Expected: 0 Received: 1"],
        );
    }
}
