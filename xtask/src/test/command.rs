//! Runs commands that count their own tests.

use super::tally::Tally;
use crate::child;
use crate::say;
use anyhow::Result;
use std::process::Command;

/// `cargo` with these arguments.
pub(crate) fn cargo(words: &str) -> Command {
    let mut command = Command::new("cargo");
    command.args(words.split_whitespace());
    command
}

/// Runs `command`, prints its output, and counts its `test result` lines.
pub(crate) fn count(command: &mut Command) -> Result<Tally> {
    let mut tally = Tally::default();
    let succeeded = child::run_and_see(command, |line| {
        say!("{line}");
        tally.read(line);
    })?;
    Ok(tally.judged(succeeded))
}

/// Runs `command`, a run of Node's own tests in the form TAP, and counts them.
pub(crate) fn count_node(command: &mut Command) -> Result<Tally> {
    let mut tally = Tally::default();
    let succeeded = child::run_and_see(command, |line| {
        if let Some(name) = failed_test(line) {
            tally.failures.push(name.to_owned());
        }
        let number = |name| line.strip_prefix(name)?.trim().parse::<u64>().ok();
        match (number("# pass"), number("# fail")) {
            (Some(passed), _) => tally.passed += passed,
            (_, Some(failed)) => tally.failed += failed,
            _ => say!("{line}"),
        }
    })?;
    Ok(tally.judged(succeeded))
}

/// A failure in TAP: `not ok 3 - name`, with spaces before it when the test is part of another one.
fn failed_test(line: &str) -> Option<&str> {
    let (_, name) = line
        .trim_start()
        .strip_prefix("not ok ")?
        .split_once(" - ")?;
    Some(name)
}

/// Runs `command` as one check.
pub(crate) fn check(command: &mut Command) -> Result<Tally> {
    Ok(Tally::one(child::run(command)?))
}
