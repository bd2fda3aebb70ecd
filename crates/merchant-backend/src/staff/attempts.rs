use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::time::Duration;

/// Attempts for one name: some at once, then one every minute.
const FOR_A_NAME: NonZeroU32 = NonZeroU32::new(8).unwrap();
const PAUSE: Duration = Duration::from_secs(60);
/// Attempts over all, per minute, so that guessing many names is no way around.
const OVER_ALL: NonZeroU32 = NonZeroU32::new(120).unwrap();

/// Limits how often somebody may try to sign in.
pub(crate) struct SignInAttempts {
    by_name: RateLimiter<String, HashMapStateStore<String>, DefaultClock>,
    all: DefaultDirectRateLimiter,
}

impl Default for SignInAttempts {
    fn default() -> Self {
        // The period is not zero, so there is a quota.
        let for_a_name = Quota::with_period(PAUSE).unwrap_or(Quota::per_minute(FOR_A_NAME));
        Self {
            by_name: RateLimiter::hashmap(for_a_name.allow_burst(FOR_A_NAME)),
            all: RateLimiter::direct(Quota::per_minute(OVER_ALL)),
        }
    }
}

impl SignInAttempts {
    /// Counts an attempt; the seconds to wait when there were too many.
    pub(crate) fn take(&self, name: &str) -> Result<(), u64> {
        let clock = DefaultClock::default();
        let seconds = |not_until: Duration| not_until.as_secs().max(1);
        self.all
            .check()
            .map_err(|late| seconds(late.wait_time_from(clock.now())))?;
        // A name can be as long as a body; whoever sends such a one waits with the others.
        let name: String = name.chars().take(64).collect();
        self.by_name
            .check_key(&name)
            .map_err(|late| seconds(late.wait_time_from(clock.now())))
    }

    /// Forgets names that nobody has tried for long.
    pub(crate) fn retain_recent(&self) {
        self.by_name.retain_recent();
    }
}

#[cfg(test)]
mod tests {
    use super::{FOR_A_NAME, SignInAttempts};

    #[test]
    fn too_many_attempts_for_one_name_wait_and_other_names_do_not() {
        let attempts = SignInAttempts::default();
        for _ in 0..FOR_A_NAME.get() {
            assert_eq!(attempts.take("ana"), Ok(()));
        }
        let wait = attempts.take("ana").unwrap_err();
        assert!((1..=60).contains(&wait), "{wait}");
        assert_eq!(attempts.take("luis"), Ok(()));
    }

    #[test]
    fn trying_many_names_is_limited_too() {
        let attempts = SignInAttempts::default();
        let refused = (0..200).filter(|at| attempts.take(&format!("name-{at}")).is_err());
        assert!(refused.count() >= 79);
    }
}
