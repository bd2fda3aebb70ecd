//! The shops of `examples/shops`, which merchants copy, run as they are against the real server.

use super::Selection;
use super::javascript::node_tests;
use super::tally::{Tally, count};
use crate::servers::{self, Profile};
use crate::tools::{find_on_path, python_packages, test_packages};
use crate::{folders, project, say};
use anyhow::Result;

/// The languages of the shops by their folders, with the program, and the package of Debian's that has it.
const LANGUAGES: [(&str, &str, &str); 3] = [
    ("php", "php", "php-cli"),
    ("node", "node", "nodejs"),
    ("python", "python3", "python3"),
];

/// The languages that the machine has. One that it lacks is named, and is a failure with `--all` and `--only`.
pub(super) fn languages(step: &str, selection: &Selection) -> (Tally, Vec<&'static str>) {
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

/// Each shop takes a payment, and rejects forged events; receivers with the libraries of Standard Webhooks find the
/// server's events genuine.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let (mut tally, languages) = languages("shops", selection);
    servers::build_tested()?;
    let results = project::output("shops");
    // The databases of the last time would know its orders.
    folders::empty(&results)?;
    test_packages()?;
    let libraries: Vec<_> = languages
        .iter()
        .copied()
        .filter(|name| *name != "php")
        .collect();
    let mut tests = node_tests(&[
        "tests/shops/shops.test.mjs",
        "tests/shops/events.test.mjs",
        "tests/shops/standard-webhooks.test.mjs",
        "tests/shops/sandbox-package.test.mjs",
    ]);
    if languages.contains(&"python") {
        tests.env("PYTHON_PACKAGES", python_packages()?);
    }
    tally += count(
        tests
            .env("LANGUAGES", languages.join(","))
            .env("LIBRARIES", libraries.join(","))
            .env("PROGRAMS", Profile::Debug.folder()?)
            .env("RESULTS", &results),
    )?;
    Ok(tally)
}
