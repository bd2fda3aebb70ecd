//! The figures of the server, in the format of Prometheus. They name no person, no order
//! and no operation.

mod standing;

pub(crate) use standing::Standing;

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
    AuthorizeError,
    /// Before any operation: the request, its order or the moment permits none.
    TurnedAway,
}

impl Attempt {
    const ALL: [Self; 4] = [
        Self::Operation,
        Self::Refused,
        Self::AuthorizeError,
        Self::TurnedAway,
    ];
}

/// A request to another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(crate) enum Answered {
    Yes,
    Refused,
    /// With status 200 and without an accepted result.
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
    /// Every counter is there from the start: of one that begins with 1 Prometheus sees no rise.
    fn default() -> Self {
        let counters = Self {
            attempts: Family::default(),
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            deliveries: Family::default(),
        };
        for result in Attempt::ALL {
            drop(counters.attempts.get_or_create(&AttemptLabels { result }));
        }
        for answered in Answered::ALL {
            let labels = DeliveryLabels { answered };
            drop(counters.deliveries.get_or_create(&labels));
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

    /// Announces a kind of requests to the payment service.
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
        standing.register(&mut registry);
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
        metrics.has_requests("refund");
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
            "payments_attempts_total{result=\"Refused\"} 0\n",
            "payments_service_requests_total{kind=\"query\",answered=\"No\"} 1\n",
            "payments_service_requests_total{kind=\"refund\",answered=\"No\"} 0\n",
            "payments_service_seconds_count{kind=\"refund\"} 0\n",
            "payments_service_seconds_bucket{le=\"0.25\",kind=\"query\"} 0\n",
            "payments_service_seconds_bucket{le=\"0.5\",kind=\"query\"} 1\n",
            "payments_event_deliveries_total{answered=\"Yes\"} 1\n",
            "payments_event_deliveries_total{answered=\"No\"} 0\n",
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
