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
pub(crate) struct EvenClock {
    last: Moment,
    /// The last jump, by the steady clock.
    since: Timestamp,
}

impl EvenClock {
    pub(crate) fn new(at: Moment) -> Self {
        Self {
            last: at,
            since: at.steady,
        }
    }

    pub(crate) fn read(&mut self, at: Moment) -> Reading {
        if jump(self.last, at).unsigned_abs() >= MAX_CLOCK_CORRECTION {
            self.since = at.steady;
        }
        self.last = at;
        Reading {
            now: at.wall,
            even_for: at.steady.duration_since(self.since),
        }
    }
}

/// The difference between the times that passed by the wall clock and by the steady clock; negative
/// when the wall clock was set back.
fn jump(from: Moment, to: Moment) -> SignedDuration {
    signed_since(to.wall, from.wall).saturating_sub(signed_since(to.steady, from.steady))
}

/// Detects jumps of the wall clock, so that ages are not computed across one.
#[derive(Debug)]
pub(crate) struct JumpWatch {
    last: Moment,
    /// The time of the last detected jump, by the steady clock.
    jumped_at: Option<Timestamp>,
}

impl JumpWatch {
    pub(crate) fn new(at: Moment) -> Self {
        Self {
            last: at,
            jumped_at: None,
        }
    }

    /// Compares the clocks with the previous reading. Returns the length of a jump, which is negative
    /// when the clock was set back.
    pub(crate) fn look(&mut self, at: Moment) -> Option<SignedDuration> {
        let jump = jump(self.last, at);
        self.last = at;
        if jump.unsigned_abs() < MAX_CLOCK_CORRECTION {
            return None;
        }
        self.jumped_at = Some(at.steady);
        Some(jump)
    }

    /// True when the clock has not jumped for this time, so that shorter ages are reliable.
    pub(crate) fn is_calm_for(&self, time: Duration) -> bool {
        self.jumped_at
            .is_none_or(|jump| self.last.steady.duration_since(jump) >= time)
    }
}

fn signed_since(late: Timestamp, early: Timestamp) -> SignedDuration {
    SignedDuration::from_millis(late.as_millis())
        .saturating_sub(SignedDuration::from_millis(early.as_millis()))
}

#[cfg(test)]
mod tests {
    use super::{EvenClock, JumpWatch, Moment};
    use jiff::SignedDuration;
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
        let mut watch = JumpWatch::new(both(1_000_000, 1_000_000));
        for (wall, steady, jump) in [
            (1_010_000, 1_010_000, None),
            (1_020_500, 1_020_000, None),
            (1_029_600, 1_030_000, None),
            (430_000, 1_040_000, Some(-609_600)),
            (440_000, 1_050_000, None),
            (4_050_000, 1_060_000, Some(3_600_000)),
            (4_060_000, 1_070_000, None),
            (i64::MAX, 1_070_000, Some(i64::MAX - 4_060_000)),
            (0, 1_070_000, Some(-i64::MAX)),
        ] {
            let jump = jump.map(SignedDuration::from_millis);
            assert_eq!(watch.look(both(wall, steady)), jump, "{wall}");
        }
    }

    #[test]
    fn after_a_jump_ages_are_believed_again_when_time_has_passed() {
        let minute = Duration::from_mins(1);
        let mut watch = JumpWatch::new(both(0, 0));
        assert!(watch.is_calm_for(minute));
        watch.look(both(3_600_000, 10_000));
        assert!(!watch.is_calm_for(minute));
        watch.look(both(3_659_999, 69_999));
        assert!(!watch.is_calm_for(minute));
        watch.look(both(3_660_000, 70_000));
        assert!(watch.is_calm_for(minute));
    }

    #[test]
    fn the_even_time_begins_anew_with_every_jump() {
        let mut clock = EvenClock::new(both(0, 0));
        for (wall, steady, even_for) in [
            (10_000, 10_000, 10_000),
            (3_610_000, 20_000, 0),
            (3_615_000, 25_000, 5_000),
            (15_000, 30_000, 0),
            (15_500, 31_000, 1_000),
        ] {
            let reading = clock.read(both(wall, steady));
            assert_eq!(reading.now, instant(wall));
            assert_eq!(reading.even_for, Duration::from_millis(even_for), "{wall}");
        }
    }
}
