//! Running a command that counts its own tests.

use super::tally::Tally;
use crate::child;
use crate::say;
use anyhow::Result;
use std::process::Command;

/// `cargo` with `words`.
pub(crate) fn cargo(words: &str) -> Command {
    let mut command = Command::new("cargo");
    command.args(words.split_whitespace());
    command
}

/// Runs `command`, shows what it says, and counts its `test result` lines.
pub(crate) fn count(command: &mut Command) -> Result<Tally> {
    let mut tally = Tally::default();
    let succeeded = child::run_and_see(command, |line| {
        say!("{line}");
        tally.read(line);
    })?;
    Ok(tally.judged(succeeded))
}

/// Runs `command` as one check.
pub(crate) fn check(command: &mut Command) -> Result<Tally> {
    Ok(Tally::one(child::run(command)?))
}
