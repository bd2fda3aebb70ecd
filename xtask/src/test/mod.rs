//! `cargo xtask test`: every check of the project, in order, counted together.

mod browser;
mod command;
mod comments;
mod consumers;
mod contract;
mod end_to_end;
mod engines;
mod javascript;
mod lint;
mod native;
mod pages;
mod postgres;
mod prose;
mod quotes;
mod selection;
mod servers;
mod shops;
mod surface;
mod tally;

pub(crate) use selection::Selection;

use crate::{interrupt, mutants, say, size};
use anyhow::Result;
use std::process::ExitCode;
use std::time::Instant;
use tally::Tally;

/// One step: the name for `--only`, the title, and the function.
struct Step {
    name: &'static str,
    title: &'static str,
    run: Run,
    /// Only `--all` and `--only` run it.
    long: bool,
}

type Run = fn(&Selection) -> Result<Tally>;

impl Step {
    const fn new(name: &'static str, title: &'static str, run: Run) -> Self {
        Self {
            name,
            title,
            run,
            long: false,
        }
    }

    const fn long(mut self) -> Self {
        self.long = true;
        self
    }
}

/// Quick steps that find much come first.
const STEPS: &[Step] = &[
    Step::new("lock", "Cargo.lock fits the manifests", |_| {
        lint::lock_file()
    }),
    Step::new("fmt", "formatting", |_| lint::formatting()),
    Step::new("prose", "what the documents name is there", |_| {
        prose::run()
    }),
    Step::new("spelling", "spelling", |_| lint::spelling()),
    Step::new("contract", "the contract is OpenAPI", |_| contract::run()),
    Step::new("lint", "lints of what runs natively", |_| lint::native()),
    Step::new("lint-wasm", "lints of what runs in a browser", |_| {
        lint::wasm()
    }),
    Step::new("docs", "documentation of all crates", |_| {
        lint::documentation()
    }),
    Step::new("native", "native tests", native::run),
    Step::new(
        "postgres",
        "the database and payments on PostgreSQL",
        postgres::run,
    ),
    Step::new("browser", "tests of the component in a browser", |_| {
        browser::run()
    }),
    Step::new("pages", "the demo's pages (trunk build)", |_| pages::run()),
    Step::new(
        "javascript",
        "types and lints of JavaScript and CSS",
        |_| javascript::run(),
    ),
    Step::new("size", "sizes, against xtask/budget.toml", |_| {
        Ok(Tally::one(size::measure()?))
    }),
    Step::new(
        "e2e",
        "end to end, in a real browser against the real servers",
        end_to_end::run,
    ),
    Step::new(
        "e2e-nodes",
        "the same on PostgreSQL, with three nodes of the server",
        end_to_end::run_on_nodes,
    )
    .long(),
    Step::new(
        "diagnostic",
        "payments with the edition for developers",
        end_to_end::run_diagnostic,
    )
    .long(),
    Step::new(
        "engines",
        "payments in Firefox, WebKit and old Chromiums",
        engines::run,
    ),
    Step::new(
        "shops",
        "the shops of docs/start.md, in PHP, Node.js and Python",
        shops::run,
    ),
    Step::new(
        "consumers",
        "the npm package, packed and in pages of other people",
        consumers::run,
    ),
    Step::new(
        "supply",
        "bans, licences and sources of dependencies",
        |_| lint::supply(),
    )
    .long(),
    Step::new("features", "each cargo feature by itself", |_| {
        lint::features()
    })
    .long(),
    Step::new(
        "mutants",
        "broken rules, which unit tests must notice",
        |_| mutants(),
    )
    .long(),
];

fn mutants() -> Result<Tally> {
    Ok(Tally::one(mutants::run(None, &[])? == ExitCode::SUCCESS))
}

/// Runs the chosen steps. A failed step does not keep the next ones from running, because each
/// says something of its own. The last line says how many checks passed and failed.
pub(crate) fn run(selection: &Selection) -> Result<ExitCode> {
    if selection.list {
        for step in STEPS {
            let all = if step.long { " (with --all)" } else { "" };
            say!("{:<10} {}{all}", step.name, step.title);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut report = Vec::new();
    for step in STEPS
        .iter()
        .filter(|step| selection.includes(step.name, step.long))
    {
        interrupt::check()?;
        say::heading(step.title);
        let start = Instant::now();
        let tally = (step.run)(selection).unwrap_or_else(|error| {
            say!("error: {error:#}");
            Tally::one(false)
        });
        interrupt::check()?;
        let line = format!(
            "{:<10} {tally} in {}",
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
    say!("{sum}");
    Ok(if sum.failed == 0 && sum.passed > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn names() -> String {
    let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    names.join(", ")
}
