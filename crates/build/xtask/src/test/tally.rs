//! Commands as checks: how many passed and failed, and the names of those that failed.

use crate::{child, say};
use anyhow::Result;
use std::fmt;
use std::ops::AddAssign;
use std::process::Command;

/// How many of a step's slowest tests are named.
const NAMED: usize = 20;

/// No test that takes less is called slow.
const SLOW_SECONDS: f64 = 1.0;

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

/// The name and the verdict of a test of Rust.
fn of_rust(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("test ")?.rsplit_once(" ... ")
}

/// Whether a test of TAP is good, and its name.
fn of_tap(line: &str) -> Option<(bool, &str)> {
    let (is_good, rest) = match line.strip_prefix("not ok ") {
        Some(rest) => (false, rest),
        None => (true, line.strip_prefix("ok ")?),
    };
    Some((is_good, rest.split_once(" - ")?.1))
}

/// A count of checks.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) passed: u64,
    pub(super) failed: u64,
    /// The tests that failed, by their runner's names: a log is long, and often only its end is kept.
    pub(super) failures: Vec<String>,
    times: Vec<Time>,
    /// The test of TAP whose time comes in a line of its own.
    timed: Option<String>,
}

/// How long a test took.
#[derive(Debug, Clone, PartialEq)]
struct Time {
    seconds: f64,
    test: String,
}

impl Tally {
    /// A step that is one check by itself.
    pub(super) fn one(passed: bool) -> Self {
        Self {
            passed: u64::from(passed),
            failed: u64::from(!passed),
            ..Self::default()
        }
    }

    /// The slowest tests, one a line, if any took long.
    pub(super) fn slowest(&mut self) -> Vec<String> {
        self.times
            .sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        let slow = self
            .times
            .iter()
            .filter(|time| time.seconds >= SLOW_SECONDS);
        slow.take(NAMED)
            .map(|Time { seconds, test }| format!("{seconds:>7.1} s  {test}"))
            .collect()
    }

    /// Adds the tests of a line of a runner. Rust's has `test name ... FAILED <0.123s>`, or `FAIL` in a browser, and
    /// `test result: ok. 12 passed; 0 failed; …`; TAP has `not ok 3 - name`, `duration_ms: 123`, `# pass 12` and
    /// `# fail 0`.
    fn read(&mut self, line: &str) {
        let line = line.trim();
        if let Some((name, verdict)) = of_rust(line) {
            let mut words = verdict.split_whitespace();
            if matches!(words.next(), Some("FAILED" | "FAIL")) {
                self.failures.push(name.to_owned());
            }
            let time = words.next().and_then(|time| time.strip_prefix('<'));
            let seconds = time.and_then(|time| time.strip_suffix("s>")?.parse().ok());
            self.took(name, seconds);
        } else if let Some((is_good, name)) = of_tap(line) {
            if !is_good {
                self.failures.push(name.to_owned());
            }
            self.timed = Some(name.to_owned());
        } else if let Some(milliseconds) = line.strip_prefix("duration_ms: ")
            && let Some(name) = self.timed.take()
        {
            let seconds = milliseconds.parse().ok().map(|time: f64| time / 1000.0);
            self.took(&name, seconds);
        }
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

    fn took(&mut self, test: &str, seconds: Option<f64>) {
        let test = test.to_owned();
        self.times
            .extend(seconds.map(|seconds| Time { seconds, test }));
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
        self.times.extend(other.times);
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
    fn slow_tests_of_each_runner_are_named_the_slowest_first() {
        let mut tally = read(&[
            "test keys::one_key ... ok <0.120s>",
            "test keys::two_nodes ... FAILED <2.000s>",
            "ok 4 - refunds - once",
            "  ---",
            "  duration_ms: 3456.7",
            "# duration_ms 9000",
        ]);
        let slowest = ["    3.5 s  refunds - once", "    2.0 s  keys::two_nodes"];
        assert_eq!(tally.slowest(), slowest);
        assert_eq!(tally.failures, ["keys::two_nodes"]);
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
