//! `cargo xtask bench`: what is measured rather than tested.
//!
//! The figures are for comparison within one run. None of them fails the chore: the machine may be busy.

mod page;
mod payers;
mod polls;
mod servers;
mod staff;

use anyhow::{Result, bail};

/// Runs the measurement that the words name.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    match words {
        ["staff"] => staff::run(),
        ["page", flags @ ..] => page::run(&page::Options::parse(flags)?),
        ["polls"] => polls::run(),
        ["payers", flags @ ..] => payers::run(payers::count(flags)?),
        [] => bail!(
            "say `bench page`, `bench payers`, `bench polls` or `bench staff`; `cargo xtask --help` describes them"
        ),
        _ => bail!(
            "there is no measurement `{}`; there are `page`, `payers`, `polls` and `staff`",
            words.join(" ")
        ),
    }
}
