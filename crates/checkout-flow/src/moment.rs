use payment_model::Timestamp;
use std::time::Duration;

/// The times of the browser's two clocks at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The wall clock; it may be wrong, and it may jump.
    pub wall: Timestamp,
    /// The monotonic clock; it stops while some systems sleep.
    pub monotonic: MonotonicTime,
}

/// No page sleeps for longer than a year: a clock that jumps further is broken, and must not
/// use up the flow's time.
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

/// An instant of the browser's monotonic clock, which starts anywhere. Only the time between two
/// of them means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MonotonicTime(Duration);

impl MonotonicTime {
    /// So long after the clock started.
    #[must_use]
    pub const fn after_start(time: Duration) -> Self {
        Self(time)
    }

    /// The time that passed since an earlier instant; none when that one is later.
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
