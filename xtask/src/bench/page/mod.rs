//! `cargo xtask bench page`: how long a payer on a slow phone waits, with the element of an earlier commit, with that of
//! the working tree and with a page of plain JavaScript.
//!
//! `tests/bench/page.mjs` visits the pages and prints a figure a line; medians, table and goals are made here.

mod before;
mod goals;
mod names;
mod options;
mod samples;
mod table;

pub(in crate::bench) use options::Options;

use super::servers::{self, Servers};
use crate::{child, say, tools};
use anyhow::{Result, bail};
use samples::Samples;

/// Builds all that is compared, visits the pages and prints the figures.
pub(super) fn run(options: &Options) -> Result<()> {
    let browser = tools::browser()?;
    tools::test_packages()?;
    let before = before::package(&options.against)?;
    let now = servers::package()?;
    let mut servers = Servers::start("page")?;
    say::progress(
        "bench",
        format!("{} rounds of ten visits, of about 5 s each", options.rounds),
    );
    let mut samples = Samples::default();
    let done = child::run_and_see(
        servers
            .node("tests/bench/page.mjs", &browser)
            .env("BEFORE", &before)
            .env("NOW", &now)
            .env("ROUNDS", options.rounds.to_string())
            .env("SLOWER", options.slower.to_string()),
        |line| {
            if !samples.read(line) {
                say!("{line}");
            }
        },
    )?;
    servers.check()?;
    if !done {
        bail!("the measurement ended too early; its own words are above");
    }
    table::print(&samples, options.rounds);
    goals::print(&samples);
    Ok(())
}
