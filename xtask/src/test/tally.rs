//! The number of checks that passed and failed, and the names of those that failed.

use crate::say;
use std::fmt;
use std::ops::AddAssign;

/// A count of checks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    /// The tests that failed, by their runner's names: a log is long, and often only its end is kept.
    pub(crate) failures: Vec<String>,
}

impl Tally {
    /// A step that is one check by itself.
    pub(crate) fn one(passed: bool) -> Self {
        Self {
            passed: u64::from(passed),
            failed: u64::from(!passed),
            failures: Vec::new(),
        }
    }

    /// Adds what a line of a test runner of Rust says, if it says something: `test name ... FAILED`,
    /// or `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
    pub(crate) fn read(&mut self, line: &str) {
        if let Some(name) = failed_test(line) {
            self.failures.push(name.to_owned());
        }
        let Some(counts) = line.trim().strip_prefix("test result: ") else {
            return;
        };
        // The verdict before the first count ends with a full stop.
        let counts = counts.split_once(". ").map_or(counts, |(_, counts)| counts);
        for count in counts.split(';') {
            let mut words = count.split_whitespace();
            let number = words.next().and_then(|word| word.parse::<u64>().ok());
            match (number, words.next()) {
                (Some(number), Some("passed")) => self.passed += number,
                (Some(number), Some("failed")) => self.failed += number,
                _ => {}
            }
        }
    }

    /// Returns the result of a test run. `succeeded` is true if its command succeeded. If the run
    /// is wrong although no test failed, the function prints the reason.
    pub(crate) fn judged(mut self, succeeded: bool) -> Self {
        if let Some(complaint) = self.complaint(succeeded) {
            say!("error: {complaint}");
            self.failed = 1;
        }
        self
    }

    /// A command that failed although no test did (it did not compile, say) and a run without
    /// any test would pass unnoticed.
    fn complaint(&self, succeeded: bool) -> Option<&'static str> {
        match (self.failed, succeeded, self.passed) {
            (0, false, _) => {
                Some("the command failed outside of its tests; its own words are above")
            }
            (0, true, 0) => Some("no test was run"),
            _ => None,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
    }
}

/// A runner in a browser says `FAIL` where the one on this machine says `FAILED`.
fn failed_test(line: &str) -> Option<&str> {
    let (name, verdict) = line.trim().strip_prefix("test ")?.rsplit_once(" ... ")?;
    matches!(verdict, "FAILED" | "FAIL").then_some(name)
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
    fn counts_of_several_binaries_add_up() {
        let tally = read(&[
            "running 3 tests",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "test result: FAILED. 4 passed; 2 failed; 1 ignored; finished in 0.01s",
        ]);
        assert_eq!((tally.passed, tally.failed), (7, 2));
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(
            read(&["12 passed; 3 failed", "test a ... ok"]),
            Tally::default()
        );
    }

    #[test]
    fn tests_that_failed_are_named() {
        let tally = read(&[
            "test charges::keys::one_key ... ok",
            "test charges::keys::two_nodes ... FAILED",
            "test a_press_is_kept ... FAIL",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored",
        ]);
        assert_eq!(
            tally.failures,
            ["charges::keys::two_nodes", "a_press_is_kept"]
        );
    }

    #[test]
    fn a_failed_command_and_an_empty_run_are_failures() {
        let tally = |passed, failed| Tally {
            passed,
            failed,
            failures: Vec::new(),
        };
        assert!(tally(3, 0).complaint(true).is_none());
        assert!(tally(3, 0).complaint(false).is_some());
        assert!(tally(0, 0).complaint(true).is_some());
        assert!(tally(3, 2).complaint(false).is_none());
    }

    #[test]
    fn the_sum_reads_as_the_last_line_must() {
        let mut sum = Tally::one(true);
        sum += Tally::one(false);
        assert_eq!(sum.to_string(), "1 passed, 1 failed");
    }
}
