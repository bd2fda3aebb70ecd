use super::operations::Slot;
use super::schedule;
use crate::operation_ref::CallId;
use crate::time::FlowTime;
use std::time::Duration;

/// Decides when a status request may start: one at a time, never two starts within a second, none in a tab that
/// has been hidden for long, none before a `Retry-After` has passed.
#[derive(Debug, Clone, Default)]
pub(super) struct Poller {
    pub(super) in_flight: Option<InFlight>,
    last_start: Option<FlowTime>,
    quiet_until: FlowTime,
    hidden_since: Option<FlowTime>,
    /// Since when the browser reports that it is offline.
    offline_since: Option<FlowTime>,
    /// Failures since the last good answer.
    pub(super) failures: u32,
    /// True once a cache between the page and the server answered.
    pub(super) cached: bool,
    /// The longest time for which the server held a request without a change.
    longest_hold: Duration,
}

/// A status request that is on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct InFlight {
    pub(super) call: CallId,
    /// Which of the tracked operations it asks about.
    pub(super) slot: Slot,
    pub(super) started: FlowTime,
    /// How long the server may hold it; `None` for not at all.
    pub(super) wait: Option<Duration>,
    /// True when the request has the entity tag of the known answer.
    pub(super) names: bool,
    /// When the request counts as lost.
    pub(super) lost_at: FlowTime,
}

/// The longest pause that `Retry-After` can cause.
const LONGEST_QUIET: Duration = Duration::from_secs(15 * 60);

impl Poller {
    pub(super) fn started(&mut self, in_flight: InFlight) {
        self.last_start = Some(in_flight.started);
        self.in_flight = Some(in_flight);
    }

    /// A usable answer came, so the server can be reached even if the browser reports that it is offline. An answer
    /// to a request from before that report proves nothing.
    pub(super) fn reached(&mut self) {
        self.failures = 0;
        if self.offline_since < self.last_start {
            self.offline_since = None;
        }
    }

    pub(super) fn is_offline(&self) -> bool {
        self.offline_since.is_some()
    }

    /// Notes how long a request without a change was held. Returns true when that is much shorter than usual, because
    /// the server is shutting down. Some servers always hold requests for a shorter time than they may.
    pub(super) fn was_held(&mut self, wait: Duration, lasted: Duration) -> bool {
        let usual = match self.longest_hold {
            Duration::ZERO => wait,
            known => known.min(wait),
        };
        self.longest_hold = self.longest_hold.max(lasted);
        lasted.saturating_add(schedule::EARLY) < usual
    }

    pub(super) fn went_offline(&mut self, now: FlowTime) {
        self.offline_since.get_or_insert(now);
    }

    /// The failures so far do not count, since the browser was offline.
    pub(super) fn came_online(&mut self) {
        (self.failures, self.offline_since) = (0, None);
    }

    pub(super) fn failed(&mut self) {
        self.failures = self.failures.saturating_add(1);
    }

    /// The server wants no requests for this time.
    pub(super) fn quiet(&mut self, retry_after: Option<Duration>, now: FlowTime) {
        if let Some(after) = retry_after {
            self.quiet_until = now.saturating_add(after.min(LONGEST_QUIET));
        }
    }

    /// True while the poller must not send a request.
    pub(super) fn is_quiet(&self, now: FlowTime) -> bool {
        now < self.quiet_until
    }

    pub(super) fn hidden(&mut self, now: FlowTime) {
        self.hidden_since.get_or_insert(now);
    }

    pub(super) fn shown(&mut self) {
        self.hidden_since = None;
    }

    /// True when the running request is too young to be replaced by a new one.
    pub(super) fn has_just_started(&self, now: FlowTime) -> bool {
        self.last_start
            .is_some_and(|start| now.duration_since(start) < schedule::SPACING)
    }

    /// The earliest time at which a request may start; `None` while the tab is hidden too long.
    pub(super) fn open_from(&self, now: FlowTime) -> Option<FlowTime> {
        if self
            .hidden_since
            .is_some_and(|since| now.duration_since(since) >= schedule::HIDDEN)
        {
            return None;
        }
        let spaced = self.last_start.map_or(FlowTime::default(), |start| {
            start.saturating_add(schedule::SPACING)
        });
        Some(spaced.max(self.quiet_until))
    }

    /// True when the payer should see that the connection does not work.
    pub(super) fn is_troubled(&self) -> bool {
        self.failures >= 3
    }
}

#[cfg(test)]
mod tests {
    use super::Poller;
    use crate::flow::schedule;
    use crate::time::FlowTime;
    use std::time::Duration;

    fn at(millis: u64) -> FlowTime {
        FlowTime::default().saturating_add(Duration::from_millis(millis))
    }

    #[test]
    fn only_a_request_that_left_later_says_that_the_browser_is_online_again() {
        for (started, offline) in [(4_999, true), (5_000, true), (5_001, false)] {
            let mut poller = Poller::default();
            poller.went_offline(at(5_000));
            poller.last_start = Some(at(started));
            poller.reached();
            assert_eq!(poller.is_offline(), offline, "{started}");
        }
    }

    #[test]
    fn a_server_is_left_alone_for_as_long_as_it_wants_but_not_for_ever() {
        for (wanted, until) in [
            (None, 0),
            (Some(0), 1_000),
            (Some(7), 8_000),
            (Some(900), 901_000),
            (Some(u64::MAX), 901_000),
        ] {
            let mut poller = Poller::default();
            poller.quiet(wanted.map(Duration::from_secs), at(1_000));
            assert!(!poller.is_quiet(at(until)), "{wanted:?}");
            assert_eq!(poller.open_from(at(0)), Some(at(until)), "{wanted:?}");
            if until > 0 {
                assert!(poller.is_quiet(at(until - 1)), "{wanted:?}");
            }
        }
    }

    #[test]
    fn a_request_ends_early_when_two_seconds_of_the_usual_time_are_missing() {
        let wait = Duration::from_secs(20);
        let early = |known: u64, lasted: u64| {
            let mut poller = Poller {
                longest_hold: Duration::from_millis(known),
                ..Poller::default()
            };
            poller.was_held(wait, Duration::from_millis(lasted))
        };
        for (known, lasted, expected) in [
            (0, 17_999, true),
            (0, 18_000, false),
            (0, 20_000, false),
            // This server holds for ten seconds, whatever it is asked for.
            (10_000, 7_999, true),
            (10_000, 8_000, false),
            // Another one held longer than it was asked to.
            (60_000, 17_999, true),
            (60_000, 18_000, false),
        ] {
            assert_eq!(early(known, lasted), expected, "{known} {lasted}");
        }
    }

    #[test]
    fn a_request_is_young_for_a_second() {
        let mut poller = Poller::default();
        assert!(!poller.has_just_started(at(0)));
        poller.last_start = Some(at(5_000));
        assert!(poller.has_just_started(at(5_000)));
        assert!(poller.has_just_started(at(5_999)));
        assert!(!poller.has_just_started(at(5_000).saturating_add(schedule::SPACING)));
    }
}
