//! Time: of the browser's two clocks, of the flow, and of the server.

use payment_model::Timestamp;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The times of the browser's two clocks at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The wall clock, which may be wrong and may jump.
    pub wall: Timestamp,
    /// The monotonic clock, which stops while some systems sleep.
    pub monotonic: MonotonicTime,
}

/// The longest step of a clock that is believed. A clock that jumps further than a year is broken, and would use
/// up the range of the flow's time.
const LONGEST_STEP: Duration = Duration::from_secs(366 * 86_400);

impl Moment {
    /// The time that passed since an earlier moment, by the larger step of the two clocks: the wall clock
    /// may be set back, and the monotonic one stops while the system sleeps.
    #[must_use]
    pub fn duration_since(self, earlier: Self) -> Duration {
        let wall = self.wall.duration_since(earlier.wall);
        let monotonic = self.monotonic.duration_since(earlier.monotonic);
        wall.max(monotonic).min(LONGEST_STEP)
    }
}

/// An instant of the browser's monotonic clock, which starts at any value. Only the difference between two of
/// them has a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MonotonicTime(Duration);

impl MonotonicTime {
    /// The instant at this time after the clock's start.
    #[must_use]
    pub const fn after_start(time: Duration) -> Self {
        Self(time)
    }

    /// The time since an earlier instant; zero when that one is later.
    #[must_use]
    pub fn duration_since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// By how much one wall clock is ahead of another one, or behind it. It is stored as a number of
/// milliseconds, which is negative when the clock is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClockOffset(i64);

impl ClockOffset {
    /// So many milliseconds ahead.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// By how much a clock that shows `this` is ahead of a clock that shows `other`.
    fn between(this: Timestamp, other: Timestamp) -> Self {
        Self(this.as_millis().saturating_sub(other.as_millis()))
    }

    /// The time that this clock shows when the other one shows `other`.
    fn shown_at(self, other: Timestamp) -> Timestamp {
        Timestamp::from_millis(other.as_millis().saturating_add(self.0))
    }
}

/// An instant of the flow's own time, which begins with the first event and never runs backwards.
///
/// All plans of the flow are such instants. Instants of the browser's clocks and of the server's clock are other
/// types, which [`Timeline`] converts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct FlowTime {
    millis: u64,
}

impl FlowTime {
    /// The instant after a duration.
    #[inline(never)]
    pub(crate) fn saturating_add(self, time: Duration) -> Self {
        let millis = self.millis.saturating_add(whole_millis(time));
        Self { millis }
    }

    /// The time since an earlier instant; zero when that one is later.
    #[inline(never)]
    pub(crate) fn duration_since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.millis.saturating_sub(earlier.millis))
    }
}

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

    /// This timeline at a later moment, for a question between two events.
    pub(crate) fn until(&self, moment: Moment) -> Self {
        let mut later = self.clone();
        later.advance(moment);
        later
    }

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

/// The whole milliseconds of a duration, which are the unit of the browser's timers.
#[inline(never)]
pub(crate) fn whole_millis(time: Duration) -> u64 {
    // Not `as_millis`, whose arithmetic of 128 bits would be code to download.
    let most = u64::MAX / 1_000 - 1;
    time.as_secs().min(most) * 1_000 + u64::from(time.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::{ClockOffset, FlowTime, Moment, MonotonicTime, Timeline, whole_millis};
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
        time.now().duration_since(FlowTime::default()).as_millis()
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

    #[test]
    fn no_step_is_longer_than_a_year() {
        const DAY: u64 = 86_400;
        let after = |days: u64| Moment {
            wall: Timestamp::from_millis(0),
            monotonic: MonotonicTime::after_start(Duration::from_secs(days * DAY)),
        };
        for (days, passed) in [(0, 0), (2, 2), (366, 366), (367, 366), (4_000, 366)] {
            let step = after(days).duration_since(after(0));
            assert_eq!(step, Duration::from_secs(passed * DAY), "{days}");
        }
    }

    #[test]
    fn any_length_of_time_is_whole_milliseconds() {
        assert_eq!(whole_millis(Duration::from_micros(1_999)), 1);
        assert_eq!(whole_millis(Duration::from_millis(61_234)), 61_234);
        // No sum overflows; what is cut off are the last seconds of 584 million years.
        assert!(whole_millis(Duration::MAX) > u64::MAX - 2_000);
    }
}
