//! The shops of `examples/shops`, which merchants copy, run as they are against the real server.

use super::Selection;
use super::command::count_node;
use super::tally::Tally;
use crate::stack::{self, Profile};
use crate::tools::find_on_path;
use crate::{project, say};
use anyhow::{Context, Result};
use std::fs;
use std::process::Command;

/// A language of the shops.
struct Language {
    /// The name of its folder.
    name: &'static str,
    program: &'static str,
    /// The package of Debian's that has the program.
    package: &'static str,
}

const LANGUAGES: [Language; 3] = [
    Language {
        name: "php",
        program: "php",
        package: "php-cli",
    },
    Language {
        name: "node",
        program: "node",
        package: "nodejs",
    },
    Language {
        name: "python",
        program: "python3",
        package: "python3",
    },
];

const TESTS: [&str; 2] = ["shops.test.mjs", "events.test.mjs"];

/// Lets each shop take a payment and refuse what is none. A language that the machine lacks is named, and is a failure
/// with `--all` and `--only`.
pub(crate) fn run(selection: &Selection) -> Result<Tally> {
    let (there, missing): (Vec<&Language>, Vec<&Language>) = LANGUAGES
        .iter()
        .partition(|language| find_on_path(language.program).is_some());
    let mut sum = Tally::default();
    for Language {
        name,
        program,
        package,
    } in missing
    {
        let remedy = format!("there is no `{program}` (Debian: `apt-get install {package}`)");
        if selection.is_long("shops") {
            say!("error: {name}: {remedy}");
            sum += Tally::one(false);
        } else {
            say::progress("shops", format!("NOT TESTED: {name}: {remedy}"));
        }
    }
    stack::build_tested_servers()?;
    let names: Vec<&str> = there.iter().map(|language| language.name).collect();
    let results = project::output("shops");
    // The databases of the last time would know its orders.
    if results.exists() {
        fs::remove_dir_all(&results)
            .with_context(|| format!("could not remove {}", results.display()))?;
    }
    fs::create_dir_all(&results)
        .with_context(|| format!("could not make {}", results.display()))?;
    sum += count_node(
        Command::new("node")
            .args(["--test", "--test-reporter", "tap"])
            .args(TESTS.map(|name| project::root().join("tests/shops").join(name)))
            .env("LANGUAGES", names.join(","))
            .env("PROGRAMS", Profile::Debug.folder()?)
            .env("RESULTS", &results),
    )?;
    Ok(sum)
}
