use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A longer rest is cut: a service that is back sooner must not wait a day.
const LONGEST: Duration = Duration::from_secs(60);

/// The end of the rest that the service asked for, for one kind of request. The other kinds go on:
/// a refused cancellation must not delay the queries that other payers wait for.
#[derive(Default)]
pub(super) struct Rest(Mutex<Option<Instant>>);

impl Rest {
    /// Begins a rest at the service's request.
    pub(super) fn begin(&self, rest: Duration) {
        let until = Instant::now() + rest.min(LONGEST);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }

    /// The time left of the rest, if there is one.
    pub(super) fn left(&self) -> Option<Duration> {
        let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = until?.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::Rest;
    use std::time::Duration;

    #[test]
    fn a_rest_ends_and_is_never_longer_than_a_minute() {
        let rest = Rest::default();
        assert_eq!(rest.left(), None);
        rest.begin(Duration::from_secs(86_400));
        assert!(rest.left().unwrap() <= Duration::from_secs(60));
        rest.begin(Duration::ZERO);
        assert_eq!(rest.left(), None);
    }
}
