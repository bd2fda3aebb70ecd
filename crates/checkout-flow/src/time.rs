use std::time::Duration;

/// The times of the browser's two clocks at an event, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The wall clock, since 1970; it may be wrong, and it may jump.
    pub wall: i64,
    /// The monotonic clock, from an arbitrary start; it stops while some systems sleep.
    pub monotonic: i64,
}

/// How long the server is waited for after the deadline before the screen says "expired".
pub(crate) const GRACE: i64 = 60_000;

/// A span of the flow's own time, which never runs backwards.
pub(crate) fn duration(millis: i64) -> Duration {
    Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}

/// No page sleeps for longer than a year: a clock that jumps further is broken, and must not
/// use up the flow's time.
const LONGEST_STEP: i64 = 366 * 86_400_000;

/// How far a `Date` may be behind the server's clock: it has whole seconds, and it travelled.
const TOLERANCE: i64 = 1_500;

/// The flow's own time, and the server's as far as it is known. All in milliseconds.
///
/// Time passes by the larger step of the two clocks: the wall clock may be set back, and the
/// monotonic one stops while the system sleeps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timeline {
    last: Option<Moment>,
    now: i64,
    server: Option<Anchor>,
}

#[derive(Debug, Clone, Copy)]
struct Anchor {
    server: i64,
    at: i64,
}

impl Timeline {
    /// Lets time pass until this moment.
    pub(crate) fn advance(&mut self, moment: Moment) {
        if let Some(last) = self.last {
            let wall = moment.wall.saturating_sub(last.wall);
            let monotonic = moment.monotonic.saturating_sub(last.monotonic);
            let passed = wall.max(monotonic).clamp(0, LONGEST_STEP);
            self.now = self.now.saturating_add(passed);
        }
        self.last = Some(moment);
    }

    /// Milliseconds since the flow started.
    pub(crate) fn now(&self) -> i64 {
        self.now
    }

    /// Notes the server's clock, from the `Date` of an answer. A time that agrees with the known
    /// clock changes nothing. Otherwise a countdown would jump with every answer.
    pub(crate) fn heard(&mut self, server: i64) {
        let agrees = |known: i64| (0..TOLERANCE).contains(&known.saturating_sub(server));
        if self.server.is_some() && agrees(self.server_now()) {
            return;
        }
        self.server = Some(Anchor {
            server,
            at: self.now,
        });
    }

    /// Takes up the difference that [`Timeline::server_offset`] gave to an earlier page.
    pub(crate) fn restore(&mut self, offset: i64) {
        if let Some(last) = self.last {
            self.heard(last.wall.saturating_add(offset));
        }
    }

    /// The server's clock in milliseconds since 1970; this browser's until an answer gave the
    /// server's time.
    pub(crate) fn server_now(&self) -> i64 {
        let Some(anchor) = self.server else {
            return self.last.map_or(0, |last| last.wall);
        };
        anchor
            .server
            .saturating_add(self.now.saturating_sub(anchor.at))
    }

    /// By how much the server's clock is ahead of this browser's wall clock, if it is known.
    pub(crate) fn server_offset(&self) -> Option<i64> {
        self.server?;
        Some(self.server_now().saturating_sub(self.last?.wall))
    }

    /// When, in the flow's time, the server's clock will show this instant.
    pub(crate) fn at_server_time(&self, instant: i64) -> i64 {
        self.now
            .saturating_add(instant.saturating_sub(self.server_now()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Moment, Timeline};

    fn at(wall: i64, monotonic: i64) -> Moment {
        Moment { wall, monotonic }
    }

    #[test]
    fn time_passes_by_the_larger_clock() {
        let mut time = Timeline::default();
        time.advance(at(1_000_000, 5));
        time.advance(at(1_001_000, 6));
        assert_eq!(time.now(), 1000, "the monotonic clock slept");
        time.advance(at(0, 506));
        assert_eq!(time.now(), 1500, "the wall clock was set back");
        time.advance(at(0, 506));
        assert_eq!(time.now(), 1500);
    }

    #[test]
    fn a_broken_clock_does_not_use_up_time() {
        let mut time = Timeline::default();
        for _ in 0..1_000 {
            time.advance(at(i64::MIN, i64::MAX));
            time.advance(at(i64::MAX, i64::MIN));
        }
        let before = time.now();
        time.advance(at(i64::MAX, i64::MIN + 7));
        assert_eq!(time.now() - before, 7);
    }

    #[test]
    fn a_date_in_whole_seconds_does_not_shake_the_clock() {
        let mut time = Timeline::default();
        time.advance(at(0, 0));
        time.heard(10_000);
        time.advance(at(1_400, 1_400));
        time.heard(11_000);
        assert_eq!(time.server_now(), 11_400);
        time.advance(at(2_400, 2_400));
        time.heard(13_000);
        assert_eq!(time.server_now(), 13_000, "the server is ahead");
        time.heard(11_000);
        assert_eq!(time.server_now(), 11_000, "the server is behind");
    }

    #[test]
    fn the_server_is_right_and_the_browser_a_day_off() {
        let day = 86_400_000;
        for wrong in [-day, 0, day] {
            let mut time = Timeline::default();
            time.advance(at(wrong, 0));
            time.heard(10_000_000);
            time.advance(at(wrong + 5_000, 5_000));
            assert_eq!(time.server_now(), 10_005_000);
            assert_eq!(time.server_offset(), Some(10_000_000 - wrong));
            assert_eq!(time.at_server_time(10_007_000), time.now() + 2_000);

            let mut reloaded = Timeline::default();
            reloaded.advance(at(wrong + 60_000, 3));
            reloaded.restore(10_000_000 - wrong);
            assert_eq!(reloaded.server_now(), 10_060_000);
        }
    }
}
