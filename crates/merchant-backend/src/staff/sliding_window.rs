use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Sign-in attempts are counted within this time.
const WINDOW: Duration = Duration::from_mins(8);

/// Limits the events of each key within a sliding window. `governor`, which the other limits use, cannot
/// take an event back, and a successful sign-in must not count.
pub(super) struct SlidingWindow<K> {
    max_events: usize,
    by_key: Mutex<HashMap<K, Vec<Instant>>>,
}

impl<K: Hash + Eq + Clone> SlidingWindow<K> {
    pub(super) fn new(max_events: usize) -> Self {
        Self {
            max_events,
            by_key: Mutex::default(),
        }
    }

    /// Counts an event; when the limit is reached, returns the time until the next one is allowed.
    pub(super) fn take(&self, key: &K) -> Result<(), Duration> {
        self.with(key, |times| {
            times.retain(|at| at.elapsed() < WINDOW);
            match times.first() {
                Some(first) if times.len() >= self.max_events => {
                    Err(WINDOW.saturating_sub(first.elapsed()))
                }
                _ => {
                    times.push(Instant::now());
                    Ok(())
                }
            }
        })
    }

    /// Takes the last event back.
    pub(super) fn give_back(&self, key: &K) {
        self.with(key, |times| {
            times.pop();
        });
    }

    /// Removes the keys without events in the window.
    pub(super) fn retain_recent(&self) {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        by_key.retain(|_, times| times.last().is_some_and(|at| at.elapsed() < WINDOW));
    }

    fn with<T>(&self, key: &K, change: impl FnOnce(&mut Vec<Instant>) -> T) -> T {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        change(by_key.entry(key.clone()).or_default())
    }
}
