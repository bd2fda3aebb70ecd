//! `cargo xtask bench page`: how long a payer on a slow phone waits, with the element of an earlier commit, with that of
//! the working tree, with a page of plain JavaScript, and on the server's own page without scripts.
//!
//! `tests/bench/page.mjs` visits the pages and prints a figure a line; medians, table and goals are made here.

mod before;
mod options;
mod report;
mod samples;

pub(crate) use options::Options;

use anyhow::{Result, bail};
use demo_stack::{child, say};
use samples::Samples;
use xtask::measurement::{self, Servers};

/// Builds all that is compared, visits the pages and prints the figures.
pub(crate) fn run(options: &Options) -> Result<()> {
    let chrome = measurement::chrome()?;
    let before = before::package(&options.against)?;
    let now = measurement::package()?;
    measurement::programs()?;
    let mut servers = Servers::empty("page")?;
    say::progress(
        "bench",
        format!("{} rounds of ten visits, of about 5 s each", options.rounds),
    );
    let mut script = servers.script("tests/bench/page.mjs", &chrome)?;
    script
        .env("BEFORE", &before)
        .env("NOW", &now)
        .env("ROUNDS", options.rounds.to_string())
        .env("SLOWER", options.slower.to_string());
    let mut samples = Samples::default();
    let done = child::run_lines(&mut script, |line| {
        if !samples.read(line) {
            say!("{line}");
        }
    })?;
    servers.check()?;
    if !done {
        bail!("the measurement ended too early; its own words are above");
    }
    report::print(&samples, options.rounds);
    Ok(())
}
