use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The longest rest that is believed; a service that is back sooner must not wait a day.
const LONGEST: Duration = Duration::from_secs(60);

/// Until when the service asked to be left alone with one kind of request. It says nothing about
/// the others: a cancellation that was turned away must not silence what other payers wait for.
#[derive(Default)]
pub(super) struct Rest(Mutex<Option<Instant>>);

impl Rest {
    /// The service asked for patience.
    pub(super) fn begin(&self, rest: Duration) {
        let until = Instant::now() + rest.min(LONGEST);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }

    /// The time that is left of the rest, if any is.
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
