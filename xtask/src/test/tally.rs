//! Commands as checks: how many passed and failed, and the names of those that failed.

use crate::{child, say};
use anyhow::Result;
use std::fmt;
use std::ops::AddAssign;
use std::process::Command;

/// `cargo` with these arguments.
pub(super) fn cargo(words: &str) -> Command {
    let mut command = Command::new("cargo");
    command.args(words.split_whitespace());
    command
}

/// Runs `command` as one check.
pub(super) fn check(command: &mut Command) -> Result<Tally> {
    Ok(Tally::one(child::run(command)?))
}

/// Runs tests of Rust or of Node, prints their output and counts them.
pub(super) fn count(command: &mut Command) -> Result<Tally> {
    let (tally, succeeded) = read(command)?;
    Ok(tally.judged(succeeded))
}

/// As [`count`], but leaves it to the caller whether a run without a test is a failure.
pub(super) fn read(command: &mut Command) -> Result<(Tally, bool)> {
    let mut tally = Tally::default();
    let succeeded = child::run_lines(command, |line| {
        say!("{line}");
        tally.read(line);
    })?;
    Ok((tally, succeeded))
}

/// A count of checks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: u64,
    pub(super) failed: u64,
    /// The tests that failed, by their runner's names: a log is long, and often only its end is kept.
    pub(super) failures: Vec<String>,
}

impl Tally {
    /// A step that is one check by itself.
    pub(super) fn one(passed: bool) -> Self {
        Self {
            passed: u64::from(passed),
            failed: u64::from(!passed),
            failures: Vec::new(),
        }
    }

    /// Adds the tests of a line of a runner. Rust's has `test name ... FAILED`, or `FAIL` in a browser, and
    /// `test result: ok. 12 passed; 0 failed; …`; TAP has `not ok 3 - name`, `# pass 12` and `# fail 0`.
    fn read(&mut self, line: &str) {
        let line = line.trim();
        let of_rust = line
            .strip_prefix("test ")
            .and_then(|test| test.rsplit_once(" ... "))
            .filter(|(_, verdict)| matches!(*verdict, "FAILED" | "FAIL"))
            .map(|(name, _)| name);
        let of_tap = || Some(line.strip_prefix("not ok ")?.split_once(" - ")?.1);
        self.failures
            .extend(of_rust.or_else(of_tap).map(str::to_owned));
        let counts = match line.strip_prefix("test result: ") {
            // The verdict before the first count ends with a full stop.
            Some(counts) => counts.split_once(". ").map_or(counts, |(_, counts)| counts),
            None => line.strip_prefix("# ").unwrap_or_default(),
        };
        for count in counts.split(';') {
            let words: Vec<&str> = count.split_whitespace().collect();
            match words.as_slice() {
                [number, "passed"] | ["pass", number] => {
                    self.passed += number.parse().unwrap_or(0);
                }
                [number, "failed"] | ["fail", number] => {
                    self.failed += number.parse().unwrap_or(0);
                }
                _ => {}
            }
        }
    }

    /// The result of a test run whose command succeeded or did not. A command that failed although no test did
    /// (it did not compile, say) and a run without any test would pass unnoticed.
    pub(super) fn judged(mut self, succeeded: bool) -> Self {
        if self.failed == 0 && !(succeeded && self.passed > 0) {
            say!(
                "error: {}",
                if succeeded {
                    "no test was run"
                } else {
                    "the command failed outside of its tests; its own words are above"
                }
            );
            self.failed = 1;
        }
        self
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Tally {
        let mut tally = Tally::default();
        lines.iter().for_each(|line| tally.read(line));
        tally
    }

    #[test]
    fn tests_of_rust_are_counted_and_named() {
        let tally = read(&[
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "test charges::keys::one_key ... ok",
            "test charges::keys::two_nodes ... FAILED",
            "test a_press_is_kept ... FAIL",
            "test result: FAILED. 4 passed; 2 failed; 1 ignored; finished in 0.01s",
        ]);
        assert_eq!(tally.to_string(), "7 passed, 2 failed");
        assert_eq!(
            tally.failures,
            ["charges::keys::two_nodes", "a_press_is_kept"]
        );
    }

    #[test]
    fn tests_of_node_are_counted_and_named() {
        let tally = read(&["    not ok 3 - pays - twice", "# pass 12", "# fail 1"]);
        assert_eq!(tally.to_string(), "12 passed, 1 failed");
        assert_eq!(tally.failures, ["pays - twice"]);
    }

    #[test]
    fn a_failed_command_and_an_empty_run_are_failures() {
        let failed = |tally: Tally, succeeded| tally.judged(succeeded).failed;
        assert_eq!(failed(Tally::one(true), true), 0);
        assert_eq!(failed(Tally::one(true), false), 1);
        assert_eq!(failed(Tally::default(), true), 1);
        assert_eq!(failed(Tally::one(false), false), 1);
    }
}
