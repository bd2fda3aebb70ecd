//! `cargo xtask test`: the checks of the project in one list, in order, counted together.

mod consumers;
mod end_to_end;
mod engines;
mod examples;
mod fuzz;
mod javascript;
mod pages;
mod programs;
mod rust;
mod selection;
mod servers;
mod tally;
mod versions;

pub(crate) use javascript::front;
use selection::Scope;
pub(crate) use selection::Selection;

use crate::{interrupt, mutants, say, size};
use anyhow::Result;
use std::process::ExitCode;
use std::time::Instant;
use tally::Tally;

/// One step: the name for `--only`, the title, the function, and the smallest scope that has it.
struct Step {
    name: &'static str,
    title: &'static str,
    run: Run,
    scope: Scope,
}

type Run = fn(&Selection) -> Result<Tally>;

/// A step of every run.
const fn quick(name: &'static str, title: &'static str, run: Run) -> Step {
    Step {
        name,
        title,
        run,
        scope: Scope::Quick,
    }
}

const fn landing(name: &'static str, title: &'static str, run: Run) -> Step {
    Step {
        scope: Scope::Landing,
        ..quick(name, title, run)
    }
}

const fn long(name: &'static str, title: &'static str, run: Run) -> Step {
    Step {
        scope: Scope::All,
        ..quick(name, title, run)
    }
}

/// Quick steps that find much come first.
#[rustfmt::skip] // A step a line.
const STEPS: &[Step] = &[
    quick("lock", "each Cargo.lock fits its manifests", rust::lock_file),
    quick("fmt", "formatting", rust::formatting),
    quick("prose", "what the documents name is there", javascript::prose),
    quick("contract", "the contract is OpenAPI", javascript::contract),
    quick("javascript", "types, lints and unit tests of TypeScript, JavaScript and CSS", javascript::types_and_lints),
    landing("lint", "lints of what runs natively", rust::lint),
    landing("lint-wasm", "lints of what runs in a browser", rust::lint_wasm),
    landing("docs", "documentation of all crates, and the public items of those that others build on", rust::documentation),
    quick("native", "native tests", rust::native),
    landing("closed-model", "the model without its default feature", rust::closed_model),
    landing("postgres", "the database and lost nodes on PostgreSQL", rust::postgres),
    landing("torture", "a short search for lost and doubled money", rust::torture),
    quick("browser", "tests of the component in a browser", rust::browser),
    landing("trunk", "a payment through `trunk serve`", pages::demo),
    landing("size", "sizes, against crates/build/xtask/budget.toml", |_| Ok(Tally::one(size::measure()?))),
    quick("package", "what the npm package exports, imported", consumers::imports),
    quick("e2e", "end to end, in a real browser against the real servers", end_to_end::run),
    long("e2e-nodes", "the same on PostgreSQL, with three nodes of the server", end_to_end::run_on_nodes),
    long("versions", "an earlier server and this one on one database, while nodes are restarted one by one", versions::servers),
    landing("engines", "payments in Firefox, WebKit and old Chromiums, and in pages that are loaded in advance", engines::run),
    long("screen-reader", "payments as a screen reader reads them", engines::screen_reader),
    landing("shops", "the shops of docs/start.md, in PHP, Node.js and Python", examples::shops),
    landing("conformance", "payers against our own server, the servers of examples/servers, and broken ones", examples::conformance),
    landing("consumers", "the npm package, packed and in pages of other people", consumers::run),
    long("site", "the site of `cargo xtask site`: links, search and playground", pages::site),
    long("yew-shop", "the shop of examples/yew-shop: lints, and a payment through `trunk serve`", pages::yew_shop),
    long("vendure", "the shop system of examples/vendure, with customers in a browser", examples::vendure),
    long("spelling", "spelling", rust::spelling),
    long("supply", "bans, licences and sources of dependencies", rust::supply),
    long("fuzz", "parsers of what comes from outside, by cargo-fuzz", fuzz::run),
    long("features", "each cargo feature by itself", rust::features),
    long("semver", "public items against the last release, by cargo-semver-checks", versions::public_items),
    long("bench", "the measurements' own code", rust::bench),
    long("mutants", "broken rules, which unit tests must notice", |_| Ok(Tally::one(mutants::run(&[])?))),
];

/// Runs the chosen steps. A failed step does not keep the next ones from running, because each
/// says something of its own. The last line says how many checks passed and failed.
pub(crate) fn run(selection: &Selection) -> Result<ExitCode> {
    if selection.list {
        for step in STEPS {
            let flag = match step.scope {
                Scope::Quick => "",
                Scope::Landing => " (with --landing)",
                Scope::All => " (with --all)",
            };
            say!("{:<13} {}{flag}", step.name, step.title);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut report = Vec::new();
    for step in STEPS
        .iter()
        .filter(|step| selection.includes(step.name, step.scope))
    {
        interrupt::check()?;
        say::heading(step.title);
        let start = Instant::now();
        let mut tally = (step.run)(selection).unwrap_or_else(|error| {
            say!("error: {error:#}");
            Tally::one(false)
        });
        interrupt::check()?;
        for test in tally.slowest() {
            say!("{test}");
        }
        let line = format!(
            "{:<13} {tally} in {}",
            step.name,
            say::duration(start.elapsed())
        );
        say!("-- {line}");
        report.push((line, tally));
    }
    say::heading("all steps");
    let mut sum = Tally::default();
    for (line, tally) in report {
        say!("{line}");
        for name in &tally.failures {
            say!("           failed: {name}");
        }
        sum += tally;
    }
    if selection.is_quick() {
        say!("{}", not_run());
    }
    say!("{sum}");
    Ok(crate::exit(sum.failed == 0 && sum.passed > 0))
}

/// What a quick run leaves to a landing.
fn not_run() -> String {
    let steps = STEPS.iter().filter(|step| step.scope == Scope::Landing);
    let names: Vec<&str> = steps.map(|step| step.name).collect();
    format!(
        "not run: {}, and most stories of e2e. `cargo xtask test --landing` runs what a change must pass.",
        names.join(", ")
    )
}

fn names() -> String {
    let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    names.join(", ")
}
