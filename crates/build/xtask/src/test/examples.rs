//! What merchants copy, run as it is: the shops of `examples/shops` and `examples/vendure` against the real server, and the
//! servers of `examples/servers` against the payers of the package's conformance run.

use super::Selection;
use super::javascript::node_tests;
use super::tally::{Tally, check, count};
use crate::servers::{self, Profile};
use crate::tools::{browser, find_on_path, python_packages, test_packages, vendure_packages};
use crate::wasm::{self, CHECKOUT, Edition};
use crate::{folders, project, say};
use anyhow::Result;
use std::process::Command;

/// The languages of the shops by their folders, with the program, and the package of Debian's that has it.
const LANGUAGES: [(&str, &str, &str); 3] = [
    ("php", "php", "php-cli"),
    ("node", "node", "nodejs"),
    ("python", "python3", "python3"),
];

/// The languages that the machine has. One that it lacks is named, and is a failure with `--all` and `--only`.
fn languages(step: &str, selection: &Selection) -> (Tally, Vec<&'static str>) {
    let mut tally = Tally::default();
    let mut languages = Vec::new();
    for (name, program, package) in LANGUAGES {
        if find_on_path(program).is_some() {
            languages.push(name);
            continue;
        }
        let is_failure = selection.is_long(step);
        let verdict = if is_failure { "error" } else { "NOT TESTED" };
        say::progress(
            step,
            format!(
                "{verdict}: {name}: there is no `{program}` (Debian: `apt-get install {package}`)"
            ),
        );
        if is_failure {
            tally += Tally::one(false);
        }
    }
    (tally, languages)
}

/// Counts the tests of a command, which start built servers by themselves and write into an empty folder.
fn with_programs(step: &str, tests: &mut Command) -> Result<Tally> {
    servers::build_tested()?;
    let results = project::output(step);
    // The databases of the last time would know its orders.
    folders::empty(&results)?;
    count(
        tests
            .env("PROGRAMS", Profile::Debug.folder()?)
            .env("RESULTS", &results),
    )
}

/// Each shop takes a payment, and rejects forged events; receivers with the libraries of Standard Webhooks find the
/// server's events genuine.
pub(super) fn shops(selection: &Selection) -> Result<Tally> {
    let (mut tally, languages) = languages("shops", selection);
    test_packages()?;
    let with_library = languages.iter().copied().filter(|name| *name != "php");
    let libraries: Vec<_> = with_library.collect();
    let mut tests = node_tests(&[
        "tests/shops/shops.test.mjs",
        "tests/shops/events.test.mjs",
        "tests/shops/standard-webhooks.test.mjs",
        "tests/shops/sandbox-package.test.mjs",
    ]);
    if languages.contains(&"python") {
        tests.env("PYTHON_PACKAGES", python_packages()?);
    }
    tests
        .env("LANGUAGES", languages.join(","))
        .env("LIBRARIES", libraries.join(","));
    tally += with_programs("shops", &mut tests)?;
    Ok(tally)
}

/// The conformance run, against our own server, the servers of `examples/servers` and broken ones: it is green where it
/// should be, and names the mistake where a server has one.
pub(super) fn conformance(selection: &Selection) -> Result<Tally> {
    let (mut tally, languages) = languages("conformance", selection);
    let mut tests = node_tests(&[
        "tests/conformance/command.test.mjs",
        "tests/conformance/breaks.test.mjs",
        "tests/conformance/conformance.test.mjs",
    ]);
    tests.env("LANGUAGES", languages.join(","));
    tally += with_programs("conformance", &mut tests)?;
    Ok(tally)
}

/// Installs what the lock file of a whole shop system names, builds the shop, and plays its customers and staff in a browser.
pub(super) fn vendure(selection: &Selection) -> Result<Tally> {
    let node = test_packages()?;
    let browser = browser()?;
    let mut tally = check(&mut vendure_packages()?.command("tsc"))?;
    wasm::build(Edition::Shipped)?;
    let mut tests = node.command("playwright");
    tests
        .args(["test", "--project", "vendure", "--workers", "1"])
        .args(&selection.runner_arguments)
        .env("CHROME", &browser.chrome)
        .env("CHROME_SHELL", &browser.shell)
        .env("ELEMENT", Edition::Shipped.output(&CHECKOUT));
    tally += with_programs("vendure", &mut tests)?;
    Ok(tally)
}
