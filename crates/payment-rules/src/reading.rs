//! A reading of the wall clock, with what it proves.

use payment_model::Timestamp;
use std::time::Duration;

/// How far the wall clock may be corrected between two readings without a jump.
pub const DRIFT: Duration = Duration::from_secs(1);

/// The wall clock, and for how long it has run as evenly as the steady one.
///
/// The difference of two readings of the wall clock is no length of time: the clock may have been
/// set in between. What frees money, or another code, waits for a length that is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    pub now: Timestamp,
    /// Since the last jump of the wall clock, or since the process began to look.
    pub even_for: Duration,
}

impl Reading {
    /// The time that has certainly passed since an earlier reading, which may be another
    /// process's.
    pub fn proven_since(&self, then: Timestamp) -> Duration {
        let ahead = then.duration_since(self.now);
        if ahead > DRIFT {
            // The clock was set back since, which ended the even time before this one.
            return self.even_for;
        }
        self.now.duration_since(then).min(self.even_for)
    }
}

/// An instant of a test, in milliseconds.
#[cfg(any(test, feature = "fixtures"))]
pub const fn instant(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

#[cfg(test)]
mod tests {
    use super::{DRIFT, Reading};
    use crate::reading::instant;
    use std::time::Duration;

    #[test]
    fn a_length_is_proven_by_both_clocks_wherever_the_wall_clock_was_set() {
        let hour = Duration::from_hours(1);
        let drift = i64::try_from(DRIFT.as_millis()).unwrap();
        for (now, even_for, then, proven) in [
            (10_000, hour, 4_000, Duration::from_secs(6)),
            // The clock was set ahead, or the process began, a second ago.
            (
                90_000,
                Duration::from_secs(1),
                4_000,
                Duration::from_secs(1),
            ),
            // It was set back an hour ago.
            (4_000, hour, 10_000, hour),
            // It was corrected a little.
            (4_000, hour, 4_000 + drift, Duration::ZERO),
            (4_000, hour, 4_001 + drift, hour),
        ] {
            let reading = Reading {
                now: instant(now),
                even_for,
            };
            assert_eq!(reading.proven_since(instant(then)), proven, "{now} {then}");
        }
    }
}
