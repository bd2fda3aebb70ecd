//! What the service's answers say about the service itself: for how long it wants no requests, what time
//! its clock shows, and which codes of its answers are not accepted.

use crate::clock::of_system;
use payment_model::Timestamp;
use reqwest::header::{DATE, HeaderMap};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};
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

/// The payment service's clock, from the header `Date` of its answers, which continues between them.
///
/// The service sets the deadlines, so its clock decides when one has passed: our clock may be wrong,
/// and a code for which the service still accepts money has not expired.
#[derive(Default)]
pub(super) struct ServiceClock(Mutex<Option<(Timestamp, Instant)>>);

impl ServiceClock {
    pub(super) fn note(&self, headers: &HeaderMap) {
        let text = headers.get(DATE).and_then(|value| value.to_str().ok());
        let date = text.and_then(|text| httpdate::parse_http_date(text.trim()).ok());
        // A date before 1970 is an error of the service.
        if let Some(date) = date.filter(|date| *date >= UNIX_EPOCH) {
            let reading = Some((of_system(date), Instant::now()));
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = reading;
        }
    }

    /// The service's time; up to a second early, since `Date` has whole seconds. `None` before the
    /// first answer with a `Date`.
    pub(super) fn now(&self) -> Option<Timestamp> {
        let reading = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reading.map(|(date, received)| date.saturating_add(received.elapsed()))
    }
}

/// Bounds the memory if the service sends ever new codes; further codes raise no alert.
const MAX_CODES: usize = 64;

/// The kinds of requests and codes for which an alert was logged.
#[derive(Default)]
pub(super) struct Unaccepted(Mutex<HashSet<(&'static str, String)>>);

impl Unaccepted {
    /// Logs an alert once for each kind and code. A service whose code for success is not in
    /// `ACCEPTED_CODES` would otherwise leave every payment in doubt silently.
    pub(super) fn note(&self, kind: &'static str, code: &str) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() < MAX_CODES && seen.insert((kind, code.to_owned())) {
            tracing::error!(
                alert = true,
                kind,
                code,
                "the payment service answered without an accepted result: nothing that rests on such answers is decided; if this code means success, add it to ACCEPTED_CODES"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Backoff, ServiceClock};
    use payment_model::Timestamp;
    use reqwest::header::{DATE, HeaderMap};
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

    fn with_date(text: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(DATE, reqwest::header::HeaderValue::from_static(text))])
    }

    #[tokio::test(start_paused = true)]
    async fn it_goes_on_from_the_last_date_that_can_be_read() {
        let clock = ServiceClock::default();
        clock.note(&HeaderMap::new());
        clock.note(&with_date("soon"));
        assert_eq!(clock.now(), None);
        clock.note(&with_date("Sun, 06 Nov 1994 08:49:37 GMT"));
        tokio::time::advance(Duration::from_secs(2)).await;
        clock.note(&with_date("later"));
        assert_eq!(clock.now(), Some(Timestamp::from_secs(784_111_779)));
    }
}
