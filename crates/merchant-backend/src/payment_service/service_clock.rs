use crate::clock::of_system;
use payment_model::Timestamp;
use reqwest::header::{DATE, HeaderMap};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;
use tokio::time::Instant;

/// The payment service's clock, from the header `Date` of its answers.
///
/// The service sets the deadlines, so its clock decides when one has passed: our clock may be
/// wrong, and a code that the service still takes money for is not over.
#[derive(Default)]
pub(super) struct ServiceClock(Mutex<Option<(Timestamp, Instant)>>);

impl ServiceClock {
    /// Notes the `Date` of an answer.
    pub(super) fn note(&self, headers: &HeaderMap) {
        let told = headers.get(DATE).and_then(|value| value.to_str().ok());
        let date = told.and_then(|text| httpdate::parse_http_date(text.trim()).ok());
        // A date before 1970 cannot be one.
        if let Some(date) = date.filter(|date| *date >= UNIX_EPOCH) {
            let told = Some((of_system(date), Instant::now()));
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = told;
        }
    }

    /// The service's time, up to a second early since `Date` has whole seconds; `None` before it
    /// told one.
    pub(super) fn now(&self) -> Option<Timestamp> {
        let told = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.map(|(date, heard)| date.saturating_add(heard.elapsed()))
    }
}

#[cfg(test)]
mod tests {
    use super::ServiceClock;
    use payment_model::Timestamp;
    use reqwest::header::{DATE, HeaderMap};
    use std::time::Duration;

    fn told(text: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(DATE, reqwest::header::HeaderValue::from_static(text))])
    }

    #[tokio::test(start_paused = true)]
    async fn it_goes_on_from_the_last_date_that_can_be_read() {
        let clock = ServiceClock::default();
        clock.note(&HeaderMap::new());
        clock.note(&told("soon"));
        assert_eq!(clock.now(), None);
        clock.note(&told("Sun, 06 Nov 1994 08:49:37 GMT"));
        tokio::time::advance(Duration::from_secs(2)).await;
        clock.note(&told("later"));
        assert_eq!(clock.now(), Some(Timestamp::from_secs(784_111_779)));
    }
}
