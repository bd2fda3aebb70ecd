//! The metrics of the server for Prometheus. They contain no personal data, order or operation.

use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use qr_verdict::Verdict;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Answers of the payment service take from some milliseconds to the timeout of a request.
const SERVICE_SECONDS_BUCKETS: [f64; 8] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// How an attempt to pay ended, as a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(crate) enum Attempt {
    /// An operation was created.
    Operation,
    /// The refusal is final and stored under the idempotency key.
    Refused,
    /// Nothing is stored under the idempotency key yet, so the browser repeats the request.
    Undecided,
    /// The request was rejected before an operation was created.
    TurnedAway,
}

impl Attempt {
    const ALL: [Self; 4] = [
        Self::Operation,
        Self::Refused,
        Self::Undecided,
        Self::TurnedAway,
    ];
}

/// How a request to another program was answered, as a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(crate) enum Answered {
    Yes,
    Refused,
    /// Status 200 without an accepted result.
    Unaccepted,
    No,
}

impl Answered {
    const ALL: [Self; 4] = [Self::Yes, Self::Refused, Self::Unaccepted, Self::No];
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AttemptLabels {
    result: Attempt,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CodeLabels {
    says: &'static str,
}

/// What was read in a code, as a label.
const CODES: [&str; 4] = ["right", "wrong", "unknown", "unreadable"];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    kind: &'static str,
    answered: Answered,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeliveryLabels {
    receiver: String,
    answered: Answered,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReceiverLabels {
    receiver: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct KindLabels {
    kind: &'static str,
}

/// The counters and histograms of this process.
#[derive(Clone, Default)]
pub(crate) struct Metrics(Arc<Counters>);

struct Counters {
    attempts: Family<AttemptLabels, Counter>,
    codes: Family<CodeLabels, Counter>,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<KindLabels, Histogram>,
    deliveries: Family<DeliveryLabels, Counter>,
}

impl Default for Counters {
    /// Creates every counter with 0: Prometheus does not see the increase of a counter that first
    /// appears with 1.
    fn default() -> Self {
        let counters = Self {
            attempts: Family::default(),
            codes: Family::default(),
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(SERVICE_SECONDS_BUCKETS)),
            deliveries: Family::default(),
        };
        for result in Attempt::ALL {
            drop(counters.attempts.get_or_create(&AttemptLabels { result }));
        }
        for says in CODES {
            drop(counters.codes.get_or_create(&CodeLabels { says }));
        }
        counters
    }
}

impl Metrics {
    pub(crate) fn attempt(&self, result: Attempt) {
        self.0
            .attempts
            .get_or_create(&AttemptLabels { result })
            .inc();
    }

    /// Counts a QR of the payment service.
    pub(crate) fn code(&self, code: &Verdict) {
        let says = match code {
            Verdict::Right { .. } => "right",
            Verdict::Wrong { .. } => "wrong",
            Verdict::Unknown => "unknown",
            Verdict::Unreadable => "unreadable",
        };
        self.0.codes.get_or_create(&CodeLabels { says }).inc();
    }

    /// Creates the counters of a kind of requests to the payment service with 0.
    pub(crate) fn has_requests(&self, kind: &'static str) {
        for answered in Answered::ALL {
            let labels = RequestLabels { kind, answered };
            drop(self.0.requests.get_or_create(&labels));
        }
        drop(self.0.seconds.get_or_create(&KindLabels { kind }));
    }

    /// Counts a request to the payment service.
    pub(crate) fn request(&self, kind: &'static str, answered: Answered, took: Duration) {
        let labels = RequestLabels { kind, answered };
        self.0.requests.get_or_create(&labels).inc();
        let seconds = self.0.seconds.get_or_create(&KindLabels { kind });
        seconds.observe(took.as_secs_f64());
    }

    /// Creates the counters of deliveries to a receiver with 0.
    pub(crate) fn has_receiver(&self, receiver: &str) {
        for answered in [Answered::Yes, Answered::No] {
            drop(self.deliveries(receiver, answered));
        }
    }

    /// Counts a delivery of an event to a receiver.
    pub(crate) fn delivery(&self, receiver: &str, answered: Answered) {
        self.deliveries(receiver, answered).inc();
    }

    fn deliveries(&self, receiver: &str, answered: Answered) -> Counter {
        let receiver = receiver.to_owned();
        let labels = DeliveryLabels { receiver, answered };
        self.0.deliveries.get_or_create(&labels).clone()
    }

    /// Encodes all metrics in the OpenMetrics text format.
    pub(crate) fn text(&self, gauges: &Gauges) -> Result<String, fmt::Error> {
        let mut registry = Registry::default();
        let counters = &self.0;
        registry.register(
            "payments_attempts",
            "Attempts to pay, by result",
            counters.attempts.clone(),
        );
        registry.register(
            "payments_codes",
            "QRs of the payment service, by what the server read in them",
            counters.codes.clone(),
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
            "Deliveries of events, by receiver and by whether it accepted them",
            counters.deliveries.clone(),
        );
        gauges.register(&mut registry);
        let mut text = String::new();
        encode(&mut text, &registry)?;
        Ok(text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ExceptionLabels {
    kind: &'static str,
}

/// The values that are read when metrics are requested, unlike the counters, which the server keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Gauges {
    /// Status requests that are held.
    pub(crate) held: u64,
    /// Requests that are held for desks of staff.
    pub(crate) desks: u64,
    /// Operations that can be paid.
    pub(crate) live: i64,
    /// Operations of unknown outcome.
    pub(crate) doubts: i64,
    /// The age of the oldest operation of unknown outcome.
    pub(crate) oldest_doubt: Duration,
    /// Unresolved exceptions, by kind.
    pub(crate) exceptions: Vec<(&'static str, i64)>,
    /// For each receiver, the number of events that were not delivered, and the age of the oldest one.
    pub(crate) waiting: Vec<(String, i64, Duration)>,
}

impl Gauges {
    pub(super) fn register(&self, registry: &mut Registry) {
        let number = |registry: &mut Registry, name: &str, help: &str, value: i64| {
            let gauge = Gauge::<i64>::default();
            gauge.set(value);
            registry.register(name, help, gauge);
        };
        let held = i64::try_from(self.held).unwrap_or(i64::MAX);
        number(
            registry,
            "payments_held_requests",
            "Status requests that are held for payers",
            held,
        );
        let desks = i64::try_from(self.desks).unwrap_or(i64::MAX);
        number(
            registry,
            "payments_held_desk_requests",
            "Requests that are held for desks of staff",
            desks,
        );
        number(
            registry,
            "payments_live_operations",
            "Operations that can be paid now",
            self.live,
        );
        number(
            registry,
            "payments_doubts",
            "Operations of unknown outcome",
            self.doubts,
        );
        let seconds = |age: Duration| i64::try_from(age.as_secs()).unwrap_or(i64::MAX);
        number(
            registry,
            "payments_oldest_doubt_seconds",
            "The age of the oldest operation of unknown outcome",
            seconds(self.oldest_doubt),
        );
        let waiting = Family::<ReceiverLabels, Gauge>::default();
        let lag = Family::<ReceiverLabels, Gauge>::default();
        for (receiver, count, age) in &self.waiting {
            let labels = ReceiverLabels {
                receiver: receiver.clone(),
            };
            waiting.get_or_create(&labels).set(*count);
            lag.get_or_create(&labels).set(seconds(*age));
        }
        registry.register(
            "payments_events_waiting",
            "Events that were not delivered, by receiver",
            waiting,
        );
        registry.register(
            "payments_events_lag_seconds",
            "The age of the oldest event that was not delivered, by receiver",
            lag,
        );
        let exceptions = Family::<ExceptionLabels, Gauge>::default();
        for &(kind, count) in &self.exceptions {
            exceptions
                .get_or_create(&ExceptionLabels { kind })
                .set(count);
        }
        registry.register(
            "payments_exceptions",
            "Operations for staff to look at, by kind",
            exceptions,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{Answered, Attempt, Gauges, Metrics};
    use std::time::Duration;

    #[test]
    fn what_is_counted_stands_in_the_text() {
        let metrics = Metrics::default();
        metrics.has_requests("refund");
        metrics.attempt(Attempt::Operation);
        metrics.attempt(Attempt::Operation);
        metrics.request("query", Answered::No, Duration::from_millis(300));
        metrics.has_receiver("erp");
        metrics.delivery("erp", Answered::Yes);
        let gauges = Gauges {
            held: 3,
            desks: 2,
            doubts: 1,
            oldest_doubt: Duration::from_secs(1801),
            exceptions: vec![("in_doubt", 1)],
            waiting: vec![("erp".to_owned(), 2, Duration::from_secs(90))],
            ..Gauges::default()
        };
        let text = metrics.text(&gauges).unwrap();
        for line in [
            "payments_attempts_total{result=\"Operation\"} 2\n",
            "payments_attempts_total{result=\"Refused\"} 0\n",
            "payments_service_requests_total{kind=\"query\",answered=\"No\"} 1\n",
            "payments_service_requests_total{kind=\"refund\",answered=\"No\"} 0\n",
            "payments_service_seconds_count{kind=\"refund\"} 0\n",
            "payments_service_seconds_bucket{le=\"0.25\",kind=\"query\"} 0\n",
            "payments_service_seconds_bucket{le=\"0.5\",kind=\"query\"} 1\n",
            "payments_event_deliveries_total{receiver=\"erp\",answered=\"Yes\"} 1\n",
            "payments_event_deliveries_total{receiver=\"erp\",answered=\"No\"} 0\n",
            "payments_held_requests 3\n",
            "payments_held_desk_requests 2\n",
            "payments_doubts 1\n",
            "payments_oldest_doubt_seconds 1801\n",
            "payments_events_waiting{receiver=\"erp\"} 2\n",
            "payments_events_lag_seconds{receiver=\"erp\"} 90\n",
            "payments_exceptions{kind=\"in_doubt\"} 1\n",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
