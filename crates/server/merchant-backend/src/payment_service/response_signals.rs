//! What the service's answers say about the service itself: for how long it wants no requests, what time
//! its clock shows, which codes of its answers are not accepted, and that usable answers do not come.

use crate::clock::of_system;
use payment_model::Timestamp;
use payment_rules::operation::OperationKey;
use reqwest::header::{DATE, HeaderMap};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
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

/// Bounds the memory; further operations raise no alert, but staff see each on their list.
const MAX_UNANSWERED: usize = 1024;

/// Alerts about operations without a usable answer for long.
#[derive(Default)]
pub(super) struct UnansweredAlerts(Mutex<Alerted>);

#[derive(Default)]
struct Alerted {
    operations: HashSet<OperationKey>,
    /// No query had a usable answer since the last alert, so that the whole service may be away.
    may_be_outage: bool,
}

impl UnansweredAlerts {
    fn state(&self) -> MutexGuard<'_, Alerted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs an alert once for each operation, and only once while no query has a usable answer: an outage
    /// of the whole service is one alert.
    pub(super) fn note(&self, key: &OperationKey, reason: &str) {
        let mut state = self.state();
        if state.may_be_outage
            || state.operations.len() >= MAX_UNANSWERED
            || !state.operations.insert(key.clone())
        {
            return;
        }
        state.may_be_outage = true;
        drop(state);
        tracing::error!(
            alert = true,
            merchant_operation_number = key.number.as_str(),
            reason,
            "no usable answer about this operation for an hour: it may be paid; until a query has a usable answer, there is no alert about another one"
        );
    }

    /// Notes a usable answer about an operation.
    pub(super) fn answered(&self, key: &OperationKey) {
        let mut state = self.state();
        state.may_be_outage = false;
        state.operations.remove(key);
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
