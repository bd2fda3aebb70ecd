//! What a run tried and found, as a text that a person reads.

use std::fmt;
use std::time::{Duration, Instant};

/// A part ends after so many findings.
const MOST_FINDINGS: usize = 20;

/// The bounds of a run. Runs with equal seeds try the same, as far as their time lets them.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Everything random in the run follows from it.
    pub seed: u64,
    /// No further attempt begins after this instant.
    pub until: Instant,
    /// Only the attempt with this number is made, in a part that numbers its attempts.
    pub attempt: Option<u64>,
}

impl Budget {
    /// A budget that begins now.
    #[must_use]
    pub fn new(seed: u64, time: Duration) -> Self {
        Self {
            seed,
            until: Instant::now() + time,
            attempt: None,
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

/// One part of a run: what it tried and found.
#[derive(Debug, Clone)]
pub struct Part {
    name: &'static str,
    tried: &'static str,
    begun: Instant,
    again: String,
    /// How often it was tried.
    pub times: u64,
    /// Figures of the run, from which a person sees that it tried what it should.
    pub figures: Vec<String>,
    /// What could not be tried, each with its reason.
    pub skipped: Vec<String>,
    /// The broken promises.
    pub found: Vec<Finding>,
}

impl Part {
    /// A part that begins now. The name is that of the option `--only`; `tried` says in one line what an
    /// attempt is.
    #[must_use]
    pub fn begin(name: &'static str, tried: &'static str, budget: &Budget) -> Self {
        Self {
            name,
            tried,
            begun: Instant::now(),
            again: format!("cargo xtask torture --only {name} --seed {}", budget.seed),
            times: 0,
            figures: Vec::new(),
            skipped: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Notes a broken promise, and the events that led to it.
    pub fn finds(&mut self, what: String, story: Vec<String>) {
        let again = self.again.clone();
        self.found.push(Finding { what, again, story });
    }

    /// Notes a broken promise of a numbered attempt, which can be made again without the others.
    pub fn finds_in(&mut self, attempt: u64, what: String, story: Vec<String>) {
        let again = format!("{} --attempt {attempt}", self.again);
        self.found.push(Finding { what, again, story });
    }

    /// True when a finding of these words is noted already.
    #[must_use]
    pub fn has_found(&self, what: &str) -> bool {
        self.found.iter().any(|finding| finding.what == what)
    }

    /// True when further findings would help nobody.
    #[must_use]
    pub fn has_enough(&self) -> bool {
        self.found.len() >= MOST_FINDINGS
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.found.len() {
            0 => "nothing found".to_owned(),
            1 => "1 FINDING".to_owned(),
            many => format!("{many} FINDINGS"),
        };
        let (name, times, tried) = (self.name, self.times, self.tried);
        let seconds = self.begun.elapsed().as_secs();
        writeln!(
            f,
            "{name:<10} {times:>9} × {tried} in {seconds} s: {verdict}"
        )?;
        for figure in &self.figures {
            writeln!(f, "{:<10} {figure}", "")?;
        }
        for reason in &self.skipped {
            writeln!(f, "{:<10} skipped: {reason}", "")?;
        }
        for finding in &self.found {
            writeln!(f, "\n{}\n  again: {}", finding.what, finding.again)?;
            for line in &finding.story {
                writeln!(f, "  {line}")?;
            }
        }
        Ok(())
    }
}
