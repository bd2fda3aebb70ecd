use std::fmt;

/// The result of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    /// It may be intended.
    Note,
    Wrong,
}

/// A line of the report. It contains no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    verdict: Verdict,
    name: &'static str,
    text: String,
}

impl Finding {
    pub(super) fn good(name: &'static str, text: String) -> Self {
        let verdict = Verdict::Good;
        Self {
            verdict,
            name,
            text,
        }
    }

    pub(super) fn note(name: &'static str, text: String) -> Self {
        let verdict = Verdict::Note;
        Self {
            verdict,
            name,
            text,
        }
    }

    pub(super) fn wrong(name: &'static str, text: String) -> Self {
        let verdict = Verdict::Wrong;
        Self {
            verdict,
            name,
            text,
        }
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.verdict == Verdict::Wrong
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Good => "good",
            Verdict::Note => "note",
            Verdict::Wrong => "WRONG",
        };
        write!(f, "{verdict:<6}{}: {}", self.name, self.text)
    }
}
