//! The figures of the server, in the format of Prometheus. They name no person, no order
//! and no operation.

use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Answers of the payment service take from some milliseconds to the time-out; in seconds.
const SECONDS: [f64; 8] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// How an attempt to pay ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(crate) enum Attempt {
    /// With an operation.
    Operation,
    /// With a refusal for good.
    Refused,
    /// Without an answer for its key; the browser asks again.
    Undecided,
    /// Before any operation: the request, its order or the moment permits none.
    TurnedAway,
}

/// A request to another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(crate) enum Answered {
    Yes,
    Refused,
    No,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AttemptLabels {
    result: Attempt,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    kind: &'static str,
    answered: Answered,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeliveryLabels {
    answered: Answered,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct KindLabels {
    kind: &'static str,
}

/// The counters of this process.
#[derive(Clone, Default)]
pub(crate) struct Metrics(Arc<Counters>);

struct Counters {
    attempts: Family<AttemptLabels, Counter>,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<KindLabels, Histogram>,
    deliveries: Family<DeliveryLabels, Counter>,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            attempts: Family::default(),
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            deliveries: Family::default(),
        }
    }
}

/// The figures of one moment, from the database and the requests that wait.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Status requests that are held now.
    pub(crate) held: u64,
    /// Operations that can be paid now.
    pub(crate) live: i64,
    /// Operations of unknown outcome.
    pub(crate) doubts: i64,
    /// For how long nobody has known about the oldest of them.
    pub(crate) oldest_doubt: Duration,
    /// Exceptions that nobody has resolved, by kind.
    pub(crate) exceptions: Vec<(&'static str, i64)>,
    /// Events that were not delivered.
    pub(crate) events: i64,
    /// The age of the oldest of them.
    pub(crate) events_lag: Duration,
}

impl Metrics {
    pub(crate) fn attempt(&self, result: Attempt) {
        self.0
            .attempts
            .get_or_create(&AttemptLabels { result })
            .inc();
    }

    /// Counts a request to the payment service.
    pub(crate) fn request(&self, kind: &'static str, answered: Answered, took: Duration) {
        let labels = RequestLabels { kind, answered };
        self.0.requests.get_or_create(&labels).inc();
        let seconds = self.0.seconds.get_or_create(&KindLabels { kind });
        seconds.observe(took.as_secs_f64());
    }

    /// Counts a delivery of an event.
    pub(crate) fn delivery(&self, answered: Answered) {
        let labels = DeliveryLabels { answered };
        self.0.deliveries.get_or_create(&labels).inc();
    }

    /// Everything, as text.
    pub(crate) fn text(&self, standing: &Standing) -> Result<String, fmt::Error> {
        let mut registry = Registry::default();
        let counters = &self.0;
        registry.register(
            "payments_attempts",
            "Attempts to pay, by result",
            counters.attempts.clone(),
        );
        registry.register(
            "payments_service_requests",
            "Requests to the payment service, by kind and by whether it answered",
            counters.requests.clone(),
        );
        registry.register(
            "payments_service_seconds",
            "How long the payment service took, by kind of request",
            counters.seconds.clone(),
        );
        registry.register(
            "payments_event_deliveries",
            "Deliveries of events to the merchant's systems",
            counters.deliveries.clone(),
        );
        let number = |registry: &mut Registry, name: &str, help: &str, value: i64| {
            let gauge = prometheus_client::metrics::gauge::Gauge::<i64>::default();
            gauge.set(value);
            registry.register(name, help, gauge);
        };
        let held = i64::try_from(standing.held).unwrap_or(i64::MAX);
        number(
            &mut registry,
            "payments_held_requests",
            "Status requests that are held for payers",
            held,
        );
        number(
            &mut registry,
            "payments_live_operations",
            "Operations that can be paid now",
            standing.live,
        );
        number(
            &mut registry,
            "payments_doubts",
            "Operations of unknown outcome",
            standing.doubts,
        );
        let seconds = |age: Duration| i64::try_from(age.as_secs()).unwrap_or(i64::MAX);
        number(
            &mut registry,
            "payments_oldest_doubt_seconds",
            "The age of the oldest operation of unknown outcome",
            seconds(standing.oldest_doubt),
        );
        number(
            &mut registry,
            "payments_events_waiting",
            "Events that were not delivered",
            standing.events,
        );
        number(
            &mut registry,
            "payments_events_lag_seconds",
            "The age of the oldest event that was not delivered",
            seconds(standing.events_lag),
        );
        let exceptions = Family::<KindLabels, prometheus_client::metrics::gauge::Gauge>::default();
        for &(kind, count) in &standing.exceptions {
            exceptions.get_or_create(&KindLabels { kind }).set(count);
        }
        registry.register(
            "payments_exceptions",
            "Operations for staff to look at, by kind; at most 500 in all",
            exceptions,
        );
        let mut text = String::new();
        encode(&mut text, &registry)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Answered, Attempt, Metrics, Standing};
    use std::time::Duration;

    #[test]
    fn what_is_counted_stands_in_the_text() {
        let metrics = Metrics::default();
        metrics.attempt(Attempt::Operation);
        metrics.attempt(Attempt::Operation);
        metrics.request("query", Answered::No, Duration::from_millis(300));
        metrics.delivery(Answered::Yes);
        let standing = Standing {
            held: 3,
            doubts: 1,
            oldest_doubt: Duration::from_secs(1801),
            exceptions: vec![("in_doubt", 1)],
            events_lag: Duration::from_secs(90),
            ..Standing::default()
        };
        let text = metrics.text(&standing).unwrap();
        for line in [
            "payments_attempts_total{result=\"Operation\"} 2\n",
            "payments_service_requests_total{kind=\"query\",answered=\"No\"} 1\n",
            "payments_service_seconds_bucket{le=\"0.25\",kind=\"query\"} 0\n",
            "payments_service_seconds_bucket{le=\"0.5\",kind=\"query\"} 1\n",
            "payments_event_deliveries_total{answered=\"Yes\"} 1\n",
            "payments_held_requests 3\n",
            "payments_doubts 1\n",
            "payments_oldest_doubt_seconds 1801\n",
            "payments_events_lag_seconds 90\n",
            "payments_exceptions{kind=\"in_doubt\"} 1\n",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
