//! What a run tried and found, as a text that a person reads.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The bounds of a run. Equal seeds try equal things.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Everything random in the run follows from it.
    pub seed: u64,
    /// No further attempt begins after this instant.
    pub until: Instant,
}

impl Budget {
    /// A budget that begins now.
    #[must_use]
    pub fn new(seed: u64, time: Duration) -> Self {
        Self {
            seed,
            until: Instant::now() + time,
        }
    }

    /// True when no further attempt may begin.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        Instant::now() >= self.until
    }
}

/// A promise that was broken.
#[derive(Debug, Clone)]
pub struct Finding {
    /// One sentence: what was promised, and what was seen.
    pub what: String,
    /// The command that shows it again.
    pub again: String,
    /// The events that led to it, the oldest first.
    pub story: Vec<String>,
}

/// One part of a run.
#[derive(Debug, Clone)]
pub struct Part {
    /// The short name of the part, as `--only` takes it.
    pub name: &'static str,
    /// What was tried, in one line.
    pub tried: String,
    /// How often it was tried.
    pub times: u64,
    /// How long it took.
    pub took: Duration,
    /// What could not be tried on this machine, each with its reason.
    pub skipped: Vec<String>,
    /// The broken promises.
    pub found: Vec<Finding>,
}

/// The whole report: a line for each part, then every finding with its story.
#[must_use]
pub fn print(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        let verdict = match part.found.len() {
            0 => "nothing found".to_owned(),
            1 => "1 FINDING".to_owned(),
            many => format!("{many} FINDINGS"),
        };
        let seconds = part.took.as_secs_f64();
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "{:<10} {:>9} × {} in {seconds:.0} s: {verdict}",
            part.name, part.times, part.tried
        );
        for reason in &part.skipped {
            let _ = writeln!(text, "{:<10} skipped: {reason}", "");
        }
    }
    for finding in parts.iter().flat_map(|part| &part.found) {
        let _ = writeln!(text, "\n{}\n  again: {}", finding.what, finding.again);
        for line in &finding.story {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}
