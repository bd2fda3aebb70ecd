use crate::clock_offset::ClockOffset;
use crate::flow_time::FlowTime;
use crate::moment::Moment;
use payment_model::Timestamp;
use std::time::Duration;

/// How long after the deadline the screen says that the time is over: a payment may still be on its way.
pub(crate) const GRACE: Duration = Duration::from_secs(60);

/// How far a `Date` may be behind the server's clock: it has whole seconds, and its answer took some time.
const TOLERANCE: Duration = Duration::from_millis(1_500);

/// The flow's time, and the server's time as far as it is known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timeline {
    last: Option<Moment>,
    now: FlowTime,
    server: Option<Anchor>,
}

/// The server's clock showed `server` when the flow's time was `at`.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    server: Timestamp,
    at: FlowTime,
}

impl Timeline {
    /// Lets time pass until this moment.
    pub(crate) fn advance(&mut self, moment: Moment) {
        if let Some(last) = self.last {
            self.now = self.now.saturating_add(moment.duration_since(last));
        }
        self.last = Some(moment);
    }

    /// The flow's own time now.
    pub(crate) fn now(&self) -> FlowTime {
        self.now
    }

    /// Notes the server's clock, from the `Date` of an answer. A time that agrees with the known
    /// clock changes nothing. Otherwise a countdown would jump with every answer.
    pub(crate) fn note_server_time(&mut self, server: Timestamp) {
        let ahead = self.server_now().checked_duration_since(server);
        if self.server.is_some() && ahead.is_some_and(|ahead| ahead < TOLERANCE) {
            return;
        }
        self.server = Some(Anchor {
            server,
            at: self.now,
        });
    }

    /// Restores the difference that [`Timeline::server_offset`] returned to an earlier page.
    pub(crate) fn restore(&mut self, offset: ClockOffset) {
        if let Some(last) = self.last {
            self.note_server_time(offset.shown_at(last.wall));
        }
    }

    /// The server's time; this browser's until an answer had the server's time.
    pub(crate) fn server_now(&self) -> Timestamp {
        let Some(anchor) = self.server else {
            return self.last.map_or(Timestamp::default(), |last| last.wall);
        };
        let passed = self.now.duration_since(anchor.at);
        anchor.server.saturating_add(passed)
    }

    /// By how much the server's clock is ahead of this browser's wall clock, if it is known.
    pub(crate) fn server_offset(&self) -> Option<ClockOffset> {
        self.server?;
        Some(ClockOffset::between(self.server_now(), self.last?.wall))
    }

    /// The flow's time at which the server's clock will show this instant; now if it is past.
    pub(crate) fn at_server_time(&self, instant: Timestamp) -> FlowTime {
        let left = instant.duration_since(self.server_now());
        self.now.saturating_add(left)
    }
}

#[cfg(test)]
mod tests {
    use super::{ClockOffset, Moment, Timeline};
    use crate::MonotonicTime;
    use payment_model::Timestamp;
    use std::time::Duration;

    fn at(wall: i64, monotonic: u64) -> Moment {
        Moment {
            wall: Timestamp::from_millis(wall),
            monotonic: MonotonicTime::after_start(Duration::from_millis(monotonic)),
        }
    }

    /// The milliseconds that passed since the flow started.
    fn passed(time: &Timeline) -> u128 {
        time.now()
            .duration_since(super::FlowTime::default())
            .as_millis()
    }

    fn server(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn time_passes_by_the_larger_clock() {
        let mut time = Timeline::default();
        time.advance(at(1_000_000, 5));
        time.advance(at(1_001_000, 6));
        assert_eq!(passed(&time), 1000, "the monotonic clock slept");
        time.advance(at(0, 506));
        assert_eq!(passed(&time), 1500, "the wall clock was set back");
        time.advance(at(0, 506));
        assert_eq!(passed(&time), 1500);
    }

    #[test]
    fn a_broken_clock_does_not_use_up_time() {
        let mut time = Timeline::default();
        for _ in 0..1_000 {
            time.advance(at(i64::MIN, u64::MAX));
            time.advance(at(i64::MAX, 0));
        }
        let before = passed(&time);
        time.advance(at(i64::MAX, 7));
        assert_eq!(passed(&time) - before, 7);
    }

    #[test]
    fn a_date_in_whole_seconds_does_not_shake_the_clock() {
        let mut time = Timeline::default();
        time.advance(at(0, 0));
        time.note_server_time(server(10_000));
        time.advance(at(1_400, 1_400));
        time.note_server_time(server(11_000));
        assert_eq!(time.server_now(), server(11_400));
        time.advance(at(2_400, 2_400));
        time.note_server_time(server(13_000));
        assert_eq!(time.server_now(), server(13_000), "the server is ahead");
        time.note_server_time(server(11_501));
        assert_eq!(
            time.server_now(),
            server(13_000),
            "it may be the same second"
        );
        time.note_server_time(server(11_500));
        assert_eq!(time.server_now(), server(11_500), "the server is behind");
    }

    #[test]
    fn the_server_is_right_and_the_browser_a_day_off() {
        let day = 86_400_000;
        for wrong in [-day, 0, day] {
            let mut time = Timeline::default();
            time.advance(at(wrong, 0));
            time.note_server_time(server(10_000_000));
            time.advance(at(wrong + 5_000, 5_000));
            assert_eq!(time.server_now(), server(10_005_000));
            assert_eq!(
                time.server_offset(),
                Some(ClockOffset::from_millis(10_000_000 - wrong))
            );
            let soon = time.now().saturating_add(Duration::from_secs(2));
            assert_eq!(time.at_server_time(server(10_007_000)), soon);
            assert_eq!(time.at_server_time(server(10_004_000)), time.now());

            let mut reloaded = Timeline::default();
            reloaded.advance(at(wrong + 60_000, 3));
            reloaded.restore(ClockOffset::from_millis(10_000_000 - wrong));
            assert_eq!(reloaded.server_now(), server(10_060_000));
        }
    }
}
