//! `cargo xtask test`: every check of the project, in order, counted together.

mod browser;
mod command;
mod comments;
mod consumers;
mod contract;
mod end_to_end;
mod javascript;
mod lint;
mod native;
mod pages;
mod prose;
mod selection;
mod servers;
mod surface;
mod tally;

pub(crate) use selection::Selection;

use crate::{interrupt, say, size};
use anyhow::Result;
use std::process::ExitCode;
use std::time::Instant;
use tally::Tally;

/// One step: the name for `--only`, the title, and the function.
struct Step {
    name: &'static str,
    title: &'static str,
    run: fn(&Selection) -> Result<Tally>,
}

/// Cheap and telling steps first.
const STEPS: &[Step] = &[
    Step {
        name: "lock",
        title: "Cargo.lock fits the manifests",
        run: |_| lint::lock_file(),
    },
    Step {
        name: "fmt",
        title: "formatting",
        run: |_| lint::formatting(),
    },
    Step {
        name: "prose",
        title: "what the documents name is there",
        run: |_| prose::run(),
    },
    Step {
        name: "contract",
        title: "the contract is OpenAPI",
        run: |_| contract::run(),
    },
    Step {
        name: "lint",
        title: "lints of what runs natively",
        run: |_| lint::native(),
    },
    Step {
        name: "lint-wasm",
        title: "lints of what runs in a browser",
        run: |_| lint::wasm(),
    },
    Step {
        name: "docs",
        title: "documentation of the pure crates",
        run: |_| lint::documentation(),
    },
    Step {
        name: "native",
        title: "native tests",
        run: |_| native::run(),
    },
    Step {
        name: "browser",
        title: "tests of the component in a browser",
        run: |_| browser::run(),
    },
    Step {
        name: "pages",
        title: "the demo's pages (trunk build)",
        run: |_| pages::run(),
    },
    Step {
        name: "javascript",
        title: "types and lints of JavaScript and CSS",
        run: |_| javascript::run(),
    },
    Step {
        name: "size",
        title: "sizes, against xtask/budget.toml",
        run: |_| Ok(Tally::one(size::measure()?)),
    },
    Step {
        name: "e2e",
        title: "end to end, in a real browser against the real servers",
        run: end_to_end::run,
    },
    Step {
        name: "consumers",
        title: "the npm package, packed and in pages of other people",
        run: consumers::run,
    },
];

/// Runs the chosen steps. A failed step does not keep the next ones from running, because each
/// says something of its own. The last line says how many checks passed and failed.
pub(crate) fn run(selection: &Selection) -> Result<ExitCode> {
    if selection.list {
        for step in STEPS {
            say!("{:<10} {}", step.name, step.title);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut report = Vec::new();
    for step in STEPS.iter().filter(|step| selection.includes(step.name)) {
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
