//! `cargo xtask bench polls`: what the element holds in memory after 1,000 and after 10,000 questions for the state.

use super::servers::{self, Servers};
use crate::{child, say, tools};
use anyhow::{Result, bail};

/// Lets one page poll, and prints what it holds.
pub(super) fn run() -> Result<()> {
    let browser = tools::browser()?;
    tools::test_packages()?;
    let package = servers::package()?;
    let mut servers = Servers::start("polls")?;
    say::progress("bench", "10 000 questions, of about 10 ms each");
    let done = child::run_and_see(
        servers
            .node("tests/bench/polls.mjs", &browser)
            .env("NOW", &package),
        |line| say!("{line}"),
    )?;
    servers.check()?;
    if !done {
        bail!("the measurement ended too early; its own words are above");
    }
    Ok(())
}
