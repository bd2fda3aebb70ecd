use payment_model::Timestamp;
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

#[cfg(test)]
mod tests {
    use super::{Moment, MonotonicTime};
    use payment_model::Timestamp;
    use std::time::Duration;

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
}
