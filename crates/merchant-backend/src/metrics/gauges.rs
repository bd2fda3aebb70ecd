use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ExceptionLabels {
    kind: &'static str,
}

/// The values that are read when metrics are requested, unlike the counters, which the server keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Gauges {
    /// Status requests that are held.
    pub(crate) held: u64,
    /// Operations that can be paid.
    pub(crate) live: i64,
    /// Operations of unknown outcome.
    pub(crate) doubts: i64,
    /// The age of the oldest operation of unknown outcome.
    pub(crate) oldest_doubt: Duration,
    /// Unresolved exceptions, by kind.
    pub(crate) exceptions: Vec<(&'static str, i64)>,
    /// Events that were not delivered.
    pub(crate) events: i64,
    /// The age of the oldest event that was not delivered.
    pub(crate) events_lag: Duration,
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
        number(
            registry,
            "payments_events_waiting",
            "Events that were not delivered",
            self.events,
        );
        number(
            registry,
            "payments_events_lag_seconds",
            "The age of the oldest event that was not delivered",
            seconds(self.events_lag),
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
