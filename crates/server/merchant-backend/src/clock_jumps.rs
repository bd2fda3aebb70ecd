//! The detection of jumps of the wall clock, by comparison with the steady clock.

use jiff::SignedDuration;
use payment_model::Timestamp;
use payment_rules::timing::{MAX_CLOCK_CORRECTION, Reading};
use std::time::Duration;

/// A reading of both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// The wall clock, which an administrator or a time server may set at any time.
    pub(crate) wall: Timestamp,
    /// The time at which the process started, plus the monotonic time since then. It cannot be set, but
    /// on some systems it stops during sleep.
    pub(crate) steady: Timestamp,
}

/// Measures for how long the wall clock has run without a jump.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StableClock {
    last: Moment,
    /// The last jump, or the first reading, by the steady clock.
    since: Timestamp,
    has_jumped: bool,
}

impl StableClock {
    pub(crate) fn new(at: Moment) -> Self {
        Self {
            last: at,
            since: at.steady,
            has_jumped: false,
        }
    }

    pub(crate) fn read(&mut self, at: Moment) -> Reading {
        let jump = jump(self.last, at);
        if jump.unsigned_abs() >= MAX_CLOCK_CORRECTION {
            tracing::warn!(
                by_ms = jump.as_millis(),
                "the clock was set, or the machine slept"
            );
            self.since = at.steady;
            self.has_jumped = true;
        }
        self.last = at;
        Reading {
            now: at.wall,
            stable_for: self.stable_for(),
        }
    }

    fn stable_for(&self) -> Duration {
        self.last.steady.duration_since(self.since)
    }

    /// True when ages of up to `age` are reliable: the clock has not jumped for so long. Before the first jump it is
    /// enough to have watched it for the time `watched`, since it may have been set while the process was stopped.
    pub(crate) fn is_believed_for(&self, age: Duration, watched: Duration) -> bool {
        let needed = if self.has_jumped {
            age
        } else {
            watched.min(age)
        };
        self.stable_for() >= needed
    }
}

/// The difference between the times that passed by the wall clock and by the steady clock; negative
/// when the wall clock was set back.
fn jump(from: Moment, to: Moment) -> SignedDuration {
    signed_since(to.wall, from.wall).saturating_sub(signed_since(to.steady, from.steady))
}

fn signed_since(late: Timestamp, early: Timestamp) -> SignedDuration {
    SignedDuration::from_millis(late.as_millis())
        .saturating_sub(SignedDuration::from_millis(early.as_millis()))
}

#[cfg(test)]
mod tests {
    use super::{Moment, StableClock};
    use payment_rules::timing::instant;
    use std::time::Duration;

    fn both(wall: i64, steady: i64) -> Moment {
        Moment {
            wall: instant(wall),
            steady: instant(steady),
        }
    }

    #[test]
    fn a_jump_either_way_is_noticed_once_and_a_drift_is_none() {
        let mut clock = StableClock::new(both(1_000_000, 1_000_000));
        for (wall, steady, stable_for) in [
            (1_010_000, 1_010_000, 10_000),
            (1_020_500, 1_020_000, 20_000),
            (1_029_600, 1_030_000, 30_000),
            (430_000, 1_040_000, 0),
            (440_000, 1_050_000, 10_000),
            (4_050_000, 1_060_000, 0),
            (4_060_000, 1_070_000, 10_000),
            (i64::MAX, 1_070_000, 0),
            (0, 1_070_000, 0),
        ] {
            let reading = clock.read(both(wall, steady));
            assert_eq!(
                reading.stable_for,
                Duration::from_millis(stable_for),
                "{wall}"
            );
        }
    }

    #[test]
    fn ages_are_believed_once_the_clock_was_even_for_as_long() {
        let (minute, second) = (Duration::from_mins(1), Duration::from_secs(1));
        let mut clock = StableClock::new(both(0, 0));
        assert!(clock.is_believed_for(minute, Duration::ZERO));
        assert!(!clock.is_believed_for(minute, second));
        clock.read(both(1_000, 1_000));
        assert!(clock.is_believed_for(minute, second));
        for (wall, steady, believed) in [
            (3_600_000, 10_000, false),
            (3_659_999, 69_999, false),
            (3_660_000, 70_000, true),
        ] {
            clock.read(both(wall, steady));
            assert_eq!(clock.is_believed_for(minute, second), believed, "{wall}");
        }
    }

    #[test]
    fn the_even_time_begins_anew_with_every_jump() {
        let mut clock = StableClock::new(both(0, 0));
        for (wall, steady, stable_for) in [
            (10_000, 10_000, 10_000),
            (3_610_000, 20_000, 0),
            (3_615_000, 25_000, 5_000),
            (15_000, 30_000, 0),
            (15_500, 31_000, 1_000),
        ] {
            let reading = clock.read(both(wall, steady));
            assert_eq!(reading.now, instant(wall));
            assert_eq!(
                reading.stable_for,
                Duration::from_millis(stable_for),
                "{wall}"
            );
        }
    }
}
