use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A longer `Retry-After` is cut to this: the service may be back sooner.
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// The backoff that the service asked for with `Retry-After`, for one kind of request. Each kind has
/// its own: a rejected cancellation must not delay the queries that payers wait for.
#[derive(Default)]
pub(super) struct Backoff(Mutex<Option<Instant>>);

impl Backoff {
    pub(super) fn begin(&self, retry_after: Duration) {
        let until = Instant::now() + retry_after.min(MAX_BACKOFF);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }

    /// The time until the backoff ends; `None` outside of a backoff.
    pub(super) fn remaining(&self) -> Option<Duration> {
        let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let remaining = until?.saturating_duration_since(Instant::now());
        (!remaining.is_zero()).then_some(remaining)
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;
    use std::time::Duration;

    #[test]
    fn a_backoff_ends_and_is_never_longer_than_a_minute() {
        let backoff = Backoff::default();
        assert_eq!(backoff.remaining(), None);
        backoff.begin(Duration::from_secs(86_400));
        assert!(backoff.remaining().unwrap() <= Duration::from_secs(60));
        backoff.begin(Duration::ZERO);
        assert_eq!(backoff.remaining(), None);
    }
}
