//! The two clocks: the wall clock, and a steady one.

use jiff::SignedDuration;
use payment_model::Timestamp;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The readings of both clocks at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// The wall clock, which may be set ahead or back at any time.
    pub(crate) wall: Timestamp,
    /// The wall clock as it was when the process began, and what has passed since. Nobody can
    /// set it; it stands still while some systems sleep.
    pub(crate) steady: Timestamp,
}

/// Both clocks, at the same instant.
pub(crate) fn moment() -> Moment {
    Moment {
        wall: now(),
        steady: steady(),
    }
}

fn steady() -> Timestamp {
    static BEGIN: LazyLock<(Instant, Timestamp)> =
        LazyLock::new(|| (Instant::now(), of_system(SystemTime::now())));
    let (begin, wall) = *BEGIN;
    wall.saturating_add(begin.elapsed())
}

/// By how many milliseconds the clock that is followed is ahead of the steady one.
static AHEAD: AtomicI64 = AtomicI64::new(NOT_FOLLOWED);
const NOT_FOLLOWED: i64 = i64::MIN;

/// Now. A clock before 1970 reads as 1970, one beyond the range of [`Timestamp`] as its end.
///
/// A process that shares its database with others lives by the database's clock; see [`follow`].
pub(crate) fn now() -> Timestamp {
    match AHEAD.load(Ordering::Relaxed) {
        NOT_FOLLOWED => of_system(SystemTime::now()),
        ahead => Timestamp::from_millis(steady().as_millis().saturating_add(ahead)),
    }
}

/// Follows another clock from now on. It told this time between `asked`, which is a reading of the
/// steady clock, and now.
pub(crate) fn follow(asked: Moment, told: Timestamp) {
    let half = steady().duration_since(asked.steady) / 2;
    let read = asked.steady.saturating_add(half);
    let ahead = told.as_millis().saturating_sub(read.as_millis());
    AHEAD.store(ahead.max(NOT_FOLLOWED.saturating_add(1)), Ordering::Relaxed);
}

/// The instant that the system's own type means, within the same bounds.
pub(crate) fn of_system(time: SystemTime) -> Timestamp {
    let elapsed = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::default().saturating_add(elapsed)
}

/// An instant of a test, in milliseconds.
#[cfg(test)]
pub(crate) const fn instant(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// How far the clocks may drift apart between two looks before it is a jump: no clock that is
/// only corrected a little gets there.
const JUMP: Duration = Duration::from_secs(1);

/// Notices when the wall clock jumps.
#[derive(Debug)]
pub(crate) struct JumpWatch {
    last: Moment,
    /// When the last jump was noticed, by the steady clock.
    jumped_at: Option<Timestamp>,
}

impl JumpWatch {
    pub(crate) fn new(at: Moment) -> Self {
        Self {
            last: at,
            jumped_at: None,
        }
    }

    /// Compares the clocks with the last look; answers with by how much the wall clock jumped:
    /// a negative length when it was set back.
    pub(crate) fn look(&mut self, at: Moment) -> Option<SignedDuration> {
        let passed = signed_since(at.steady, self.last.steady);
        let jump = signed_since(at.wall, self.last.wall).saturating_sub(passed);
        self.last = at;
        if jump.unsigned_abs() < JUMP {
            return None;
        }
        self.jumped_at = Some(at.steady);
        Some(jump)
    }

    /// True when the clock did not jump for this long, so that ages by the wall clock can be
    /// believed.
    pub(crate) fn is_calm_for(&self, time: Duration) -> bool {
        self.jumped_at
            .is_none_or(|jump| self.last.steady.duration_since(jump) >= time)
    }
}

/// The time from one instant to another, negative when the other one is earlier.
fn signed_since(late: Timestamp, early: Timestamp) -> SignedDuration {
    SignedDuration::from_millis(late.as_millis())
        .saturating_sub(SignedDuration::from_millis(early.as_millis()))
}

#[cfg(test)]
mod tests {
    use super::{JumpWatch, Moment, instant, moment, of_system};
    use jiff::SignedDuration;
    use payment_model::Timestamp;
    use std::time::{Duration, UNIX_EPOCH};

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
    fn both_clocks_begin_together() {
        let begun = moment();
        let apart = begun.wall.duration_since(begun.steady);
        assert!(apart.max(begun.steady.duration_since(begun.wall)) < Duration::from_secs(1));
        assert!(moment().steady >= begun.steady);
    }

    #[test]
    fn a_system_before_1970_reads_as_1970() {
        let early = UNIX_EPOCH - Duration::from_secs(1);
        assert_eq!(of_system(early), Timestamp::default());
        let late = UNIX_EPOCH + Duration::from_secs(1);
        assert_eq!(of_system(late), Timestamp::from_secs(1));
    }
}
