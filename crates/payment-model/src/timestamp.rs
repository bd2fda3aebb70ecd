use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// An instant in milliseconds since 1970, as our own databases, messages and tokens hold it.
///
/// Every whole number of 64 bits is one, and no sum overflows: it ends at [`Timestamp::MIN`] or
/// [`Timestamp::MAX`]. A time library's instant (`jiff::Timestamp`) ends in the year 9999, so
/// that reading a row could fail and a sum could panic; and a payer's browser would have to
/// download it. A length of time is a [`Duration`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Before every other one.
    pub const MIN: Self = Self(i64::MIN);
    /// After every other one.
    pub const MAX: Self = Self(i64::MAX);

    /// So many milliseconds after 1970 began.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// So many seconds after 1970 began.
    #[must_use]
    pub const fn from_secs(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970; the rest of a second is cut off, also before 1970.
    #[must_use]
    pub const fn as_secs(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The instant a length of time later, in whole milliseconds.
    #[must_use]
    pub fn saturating_add(self, time: Duration) -> Self {
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self(self.0.saturating_add_unsigned(millis))
    }

    /// The instant a length of time earlier, in whole milliseconds.
    #[must_use]
    pub fn saturating_sub(self, time: Duration) -> Self {
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self(self.0.saturating_sub_unsigned(millis))
    }

    /// The time that passed since an earlier instant; `None` when that one is later: a clock was
    /// set back in between.
    #[must_use]
    pub fn checked_duration_since(self, earlier: Self) -> Option<Duration> {
        (earlier <= self).then(|| Duration::from_millis(self.0.abs_diff(earlier.0)))
    }

    /// The time that passed since an earlier instant; none when that one is later.
    #[must_use]
    pub fn duration_since(self, earlier: Self) -> Duration {
        self.checked_duration_since(earlier).unwrap_or_default()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn sums_end_where_the_numbers_end() {
        let instant = Timestamp::from_millis(5_500);
        assert_eq!(instant.saturating_add(SECOND).as_millis(), 6_500);
        assert_eq!(instant.saturating_sub(SECOND).as_millis(), 4_500);
        for time in [SECOND, Duration::from_millis(u64::MAX), Duration::MAX] {
            assert_eq!(Timestamp::MAX.saturating_add(time), Timestamp::MAX);
            assert_eq!(Timestamp::MIN.saturating_sub(time), Timestamp::MIN);
        }
        let whole = Duration::from_millis(u64::MAX);
        assert_eq!(Timestamp::MIN.saturating_add(whole), Timestamp::MAX);
        assert_eq!(Timestamp::MAX.saturating_sub(whole), Timestamp::MIN);
        assert_eq!(Timestamp::from_secs(i64::MAX), Timestamp::MAX);
    }

    #[test]
    fn no_time_has_passed_since_a_later_instant() {
        let (early, late) = (Timestamp::from_secs(1), Timestamp::from_secs(2));
        assert_eq!(late.checked_duration_since(early), Some(SECOND));
        assert_eq!(early.checked_duration_since(early), Some(Duration::ZERO));
        assert_eq!(early.checked_duration_since(late), None);
        assert_eq!(late.duration_since(early), SECOND);
        assert_eq!(early.duration_since(late), Duration::ZERO);
        let longest = Timestamp::MAX.duration_since(Timestamp::MIN);
        assert_eq!(longest, Duration::from_millis(u64::MAX));
    }

    #[test]
    fn it_is_written_as_a_number_and_its_seconds_are_cut_off() {
        let instant: Timestamp = serde_json::from_str("1707326367250").unwrap();
        assert_eq!(serde_json::to_string(&instant).unwrap(), "1707326367250");
        assert_eq!(instant.to_string(), "1707326367250");
        assert_eq!(instant.as_secs(), 1_707_326_367);
        assert_eq!(Timestamp::from_millis(-1).as_secs(), -1);
    }
}
