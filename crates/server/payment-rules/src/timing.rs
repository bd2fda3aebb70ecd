//! Measures time with clocks that can be set, and computes the pauses between two queries.

use crate::planted_mistakes::{Mistake, planted};
use payment_model::Timestamp;
use std::time::Duration;

/// The largest correction of the wall clock between two readings that is not a jump.
pub const MAX_CLOCK_CORRECTION: Duration = Duration::from_secs(1);

/// The wall clock, and for how long it has run as evenly as the monotonic clock.
///
/// The difference of two readings of the wall clock proves no length of time, because the clock may
/// have been set in between. Money is freed, and another code allowed, only after a length that is
/// proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The wall clock.
    pub now: Timestamp,
    /// How long ago the wall clock last jumped, or the process began to watch it.
    pub stable_for: Duration,
}

impl Reading {
    /// The time that has certainly passed since an earlier reading, also one of another process.
    pub fn min_elapsed_since(&self, then: Timestamp) -> Duration {
        let ahead = then.duration_since(self.now);
        if ahead > MAX_CLOCK_CORRECTION {
            // The clock was set back since then, and has run evenly only after that.
            return self.stable_for;
        }
        let by_wall = self.now.duration_since(then);
        if planted(Mistake::ClockIsAlwaysEven) {
            return by_wall;
        }
        by_wall.min(self.stable_for)
    }
}

/// An instant as text by RFC 3339, in UTC.
pub fn rfc3339(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.as_millis())
        .unwrap_or_default()
        .to_string()
}

/// Reads an instant from text by RFC 3339, with any offset from UTC. Fractions of a millisecond are cut.
pub fn read_rfc3339(text: &str) -> Option<Timestamp> {
    let instant: jiff::Timestamp = text.parse().ok()?;
    Some(Timestamp::from_millis(instant.as_millisecond()))
}

/// An instant of a test, in milliseconds.
#[cfg(any(test, feature = "fixtures"))]
pub const fn instant(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

pub(super) const SECOND: Duration = Duration::from_secs(1);
pub(super) const MINUTE: Duration = Duration::from_mins(1);
pub(super) const HOUR: Duration = Duration::from_hours(1);
pub(super) const DAY: Duration = Duration::from_hours(24);

/// The pause of the first step that ends after this age; `None` after the last step.
pub(super) fn stepped(age: Duration, steps: &[(Duration, Duration)]) -> Option<Duration> {
    let step = steps.iter().find(|(end, _)| age < *end);
    step.map(|(_, pause)| *pause)
}

/// Doubles the pause with each failure, up to the longest.
pub(super) fn doubled(first: Duration, failures: u32, longest: Duration) -> Duration {
    let times = 2_u32.saturating_pow(failures);
    first.saturating_mul(times).min(longest)
}

/// A pause of a fraction of the age, within two bounds.
pub(super) fn fraction(age: Duration, of: u32, bounds: [Duration; 2]) -> Duration {
    let [shortest, longest] = bounds;
    age.checked_div(of)
        .unwrap_or(longest)
        .clamp(shortest, longest)
}

#[cfg(test)]
mod tests {
    use super::{MAX_CLOCK_CORRECTION, Reading};
    use crate::timing::instant;
    use std::time::Duration;

    #[test]
    fn a_length_is_proven_by_both_clocks_wherever_the_wall_clock_was_set() {
        let hour = Duration::from_hours(1);
        let drift = i64::try_from(MAX_CLOCK_CORRECTION.as_millis()).unwrap();
        for (now, stable_for, then, proven) in [
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
                stable_for,
            };
            assert_eq!(
                reading.min_elapsed_since(instant(then)),
                proven,
                "{now} {then}"
            );
        }
    }
}
