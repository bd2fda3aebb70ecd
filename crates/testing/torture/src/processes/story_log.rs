//! What happened in an attempt, and which promises were broken.

use crate::shared::lock;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Lines with times. Clones share them, and may have a name that their lines begin with.
#[derive(Clone)]
pub(super) struct StoryLog {
    told: Arc<Mutex<Told>>,
    name: &'static str,
}

struct Told {
    begun: Instant,
    lines: Vec<String>,
    broken: Vec<String>,
}

impl StoryLog {
    pub(super) fn new() -> Self {
        let told = Told {
            begun: Instant::now(),
            lines: Vec::new(),
            broken: Vec::new(),
        };
        Self {
            told: Arc::new(Mutex::new(told)),
            name: "",
        }
    }

    /// The same with a name.
    pub(super) fn named(&self, name: &'static str) -> Self {
        let told = Arc::clone(&self.told);
        Self { told, name }
    }

    /// Adds a line, with the seconds since the beginning.
    pub(super) fn tell(&self, line: &str) {
        let mut told = lock(&self.told);
        let (seconds, name) = (told.begun.elapsed().as_secs_f64(), self.name);
        told.lines.push(format!("{seconds:6.2} {name}{line}"));
    }

    /// Adds a broken promise, once.
    pub(super) fn broken(&self, what: String) {
        let mut told = lock(&self.told);
        if !told.broken.contains(&what) {
            told.broken.push(what);
        }
    }

    /// The lines and the broken promises.
    pub(super) fn take(&self) -> (Vec<String>, Vec<String>) {
        let told = lock(&self.told);
        (told.lines.clone(), told.broken.clone())
    }
}
