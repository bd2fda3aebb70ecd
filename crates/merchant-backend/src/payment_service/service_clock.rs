use crate::clock::of_system;
use payment_model::Timestamp;
use reqwest::header::{DATE, HeaderMap};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;
use tokio::time::Instant;

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

#[cfg(test)]
mod tests {
    use super::ServiceClock;
    use payment_model::Timestamp;
    use reqwest::header::{DATE, HeaderMap};
    use std::time::Duration;

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
