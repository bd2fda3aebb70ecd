//! The two clocks: one that people set, and one that only goes on.

use std::sync::LazyLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970, as the store keeps instants.
pub(crate) type Millis = i64;

/// The readings of both clocks at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// The wall clock, which may be set ahead or back at any time.
    pub(crate) wall: Millis,
    /// The wall clock as it was when the process began, and what has passed since. Nobody can
    /// set it; it stands still while some systems sleep.
    pub(crate) steady: Millis,
}

/// Both clocks, at the same instant.
pub(crate) fn moment() -> Moment {
    static BEGIN: LazyLock<(Instant, Millis)> = LazyLock::new(|| (Instant::now(), now()));
    let (begin, wall) = *BEGIN;
    Moment {
        wall: now(),
        steady: wall.saturating_add(millis(begin.elapsed())),
    }
}

/// Now. A clock before 1970 reads as 1970, one beyond the range of [`Millis`] as its end.
pub(crate) fn now() -> Millis {
    let elapsed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Millis::try_from(elapsed.as_millis()).unwrap_or(Millis::MAX)
}

/// The milliseconds of a duration.
pub(crate) fn millis(duration: std::time::Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

/// How far the clocks may drift apart between two looks before it is a jump: no clock that is
/// only corrected a little gets there.
const JUMP: u64 = 1_000;

/// Notices when the wall clock jumps.
#[derive(Debug)]
pub(crate) struct JumpWatch {
    last: Moment,
    /// When the last jump was noticed, by the steady clock.
    jumped_at: Option<Millis>,
}

impl JumpWatch {
    pub(crate) fn new(at: Moment) -> Self {
        Self {
            last: at,
            jumped_at: None,
        }
    }

    /// Compares the clocks with the last look; answers with by how much the wall clock jumped.
    pub(crate) fn look(&mut self, at: Moment) -> Option<Millis> {
        let passed = at.steady.saturating_sub(self.last.steady);
        let jump = at.wall.saturating_sub(self.last.wall);
        let jump = jump.saturating_sub(passed);
        self.last = at;
        if jump.unsigned_abs() < JUMP {
            return None;
        }
        self.jumped_at = Some(at.steady);
        Some(jump)
    }

    /// True when the clock did not jump for this long, so that ages by the wall clock can be
    /// believed.
    pub(crate) fn is_calm_for(&self, time: Millis) -> bool {
        self.jumped_at
            .is_none_or(|jump| self.last.steady.saturating_sub(jump) >= time)
    }
}

#[cfg(test)]
mod tests {
    use super::{JumpWatch, Millis, Moment, moment};

    fn at(wall: Millis, steady: Millis) -> Moment {
        Moment { wall, steady }
    }

    #[test]
    fn a_jump_either_way_is_noticed_once_and_a_drift_is_none() {
        let mut watch = JumpWatch::new(at(1_000_000, 1_000_000));
        for (wall, steady, jump) in [
            (1_010_000, 1_010_000, None),
            (1_020_500, 1_020_000, None),
            (1_029_600, 1_030_000, None),
            (430_000, 1_040_000, Some(-609_600)),
            (440_000, 1_050_000, None),
            (4_050_000, 1_060_000, Some(3_600_000)),
            (4_060_000, 1_070_000, None),
            (i64::MAX, 1_070_000, Some(i64::MAX - 4_060_000)),
            (0, 1_080_000, Some(-i64::MAX - 1)),
        ] {
            assert_eq!(watch.look(at(wall, steady)), jump, "{wall}");
        }
    }

    #[test]
    fn after_a_jump_ages_are_believed_again_when_time_has_passed() {
        let mut watch = JumpWatch::new(at(0, 0));
        assert!(watch.is_calm_for(60_000));
        watch.look(at(3_600_000, 10_000));
        assert!(!watch.is_calm_for(60_000));
        watch.look(at(3_659_999, 69_999));
        assert!(!watch.is_calm_for(60_000));
        watch.look(at(3_660_000, 70_000));
        assert!(watch.is_calm_for(60_000));
    }

    #[test]
    fn both_clocks_begin_together() {
        let begun = moment();
        assert!(begun.wall.abs_diff(begun.steady) < 1_000);
        assert!(moment().steady >= begun.steady);
    }
}
