use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const WINDOW: Duration = Duration::from_mins(8);

/// Times of the last minutes, by key, with a bound for each. `governor`, which counts everything
/// else, takes nothing back, and a sign-in that succeeds must not count.
pub(super) struct Recent<K> {
    most: usize,
    by_key: Mutex<HashMap<K, Vec<Instant>>>,
}

impl<K: Hash + Eq + Clone> Recent<K> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            by_key: Mutex::default(),
        }
    }

    /// Counts one; the time until there is room when there is none.
    pub(super) fn take(&self, key: &K) -> Result<(), Duration> {
        self.with(key, |times| {
            times.retain(|at| at.elapsed() < WINDOW);
            match times.first() {
                Some(first) if times.len() >= self.most => {
                    Err(WINDOW.saturating_sub(first.elapsed()))
                }
                _ => {
                    times.push(Instant::now());
                    Ok(())
                }
            }
        })
    }

    /// Takes the last one back.
    pub(super) fn give_back(&self, key: &K) {
        self.with(key, |times| {
            times.pop();
        });
    }

    /// Forgets keys without recent times.
    pub(super) fn retain_recent(&self) {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        by_key.retain(|_, times| times.last().is_some_and(|at| at.elapsed() < WINDOW));
    }

    fn with<T>(&self, key: &K, change: impl FnOnce(&mut Vec<Instant>) -> T) -> T {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        change(by_key.entry(key.clone()).or_default())
    }
}
