use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Attempts for one name within a window that failed, or are under way.
const FOR_A_NAME: usize = 8;
const WINDOW: Duration = Duration::from_secs(8 * 60);
/// Attempts over all, per minute, so that guessing many names is no way around.
const OVER_ALL: NonZeroU32 = NonZeroU32::new(120).unwrap();

/// Limits how often somebody may try to sign in. Whoever knows the password is not counted: only
/// what failed is.
pub(crate) struct SignInAttempts {
    by_name: Mutex<HashMap<String, Vec<Instant>>>,
    all: DefaultDirectRateLimiter,
}

impl Default for SignInAttempts {
    fn default() -> Self {
        Self {
            by_name: Mutex::default(),
            all: RateLimiter::direct(Quota::per_minute(OVER_ALL)),
        }
    }
}

impl SignInAttempts {
    /// Counts an attempt before it is made; the seconds to wait when there were too many.
    pub(crate) fn take(&self, name: &str) -> Result<(), u64> {
        let late = self.all.check();
        late.map_err(|late| {
            let wait = late.wait_time_from(DefaultClock::default().now());
            wait.as_secs().max(1)
        })?;
        self.with(name, |attempts| {
            attempts.retain(|at| at.elapsed() < WINDOW);
            match attempts.first() {
                Some(first) if attempts.len() >= FOR_A_NAME => {
                    Err(WINDOW.saturating_sub(first.elapsed()).as_secs().max(1))
                }
                _ => {
                    attempts.push(Instant::now());
                    Ok(())
                }
            }
        })
    }

    /// Takes the last attempt back: it was the right password.
    pub(crate) fn forgive(&self, name: &str) {
        self.with(name, |attempts| {
            attempts.pop();
        });
    }

    /// Forgets names that nobody has tried for long.
    pub(crate) fn retain_recent(&self) {
        let mut names = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        names.retain(|_, attempts| attempts.last().is_some_and(|at| at.elapsed() < WINDOW));
    }

    fn with<T>(&self, name: &str, change: impl FnOnce(&mut Vec<Instant>) -> T) -> T {
        // A name can be as long as a body; whoever sends such a one waits with the others.
        let name = name.chars().take(64).collect();
        let mut names = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        change(names.entry(name).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::{FOR_A_NAME, SignInAttempts};

    #[test]
    fn too_many_attempts_for_one_name_wait_and_other_names_do_not() {
        let attempts = SignInAttempts::default();
        for _ in 0..FOR_A_NAME {
            assert_eq!(attempts.take("ana"), Ok(()));
        }
        let wait = attempts.take("ana").unwrap_err();
        assert!((1..=480).contains(&wait), "{wait}");
        assert_eq!(attempts.take("luis"), Ok(()));
        attempts.retain_recent();
        assert!(attempts.take("ana").is_err());
    }

    #[test]
    fn whoever_knows_the_password_signs_in_as_often_as_they_like() {
        let attempts = SignInAttempts::default();
        for _ in 0..3 * FOR_A_NAME {
            assert_eq!(attempts.take("ana"), Ok(()));
            attempts.forgive("ana");
        }
    }

    #[test]
    fn trying_many_names_is_limited_too() {
        let attempts = SignInAttempts::default();
        let refused = (0..200).filter(|at| attempts.take(&format!("name-{at}")).is_err());
        assert!(refused.count() >= 79);
    }
}
