//! `cargo xtask bench polls`: what the element holds in memory after 1,000 and after 10,000 questions for the state.

use anyhow::{Result, bail};
use demo_stack::{child, say};
use xtask::measurement::{self, Servers};

/// Lets one page poll, and prints what it holds.
pub(crate) fn run() -> Result<()> {
    let chrome = measurement::chrome()?;
    let package = measurement::package()?;
    measurement::programs()?;
    let mut servers = Servers::empty("polls")?;
    say::progress("bench", "10 000 questions, of about 10 ms each");
    let mut script = servers.script("tests/bench/polls.mjs", &chrome)?;
    let done = child::run_lines(script.env("NOW", &package), |line| say!("{line}"))?;
    servers.check()?;
    if !done {
        bail!("the measurement ended too early; its own words are above");
    }
    Ok(())
}
