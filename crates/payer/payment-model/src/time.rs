use crate::lenient::{other_collections, other_scalars};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::time::Duration;

/// An instant in milliseconds since 1970: the form in our own databases, messages and tokens.
///
/// Every 64-bit integer is a valid instant, and arithmetic saturates at [`Timestamp::MIN`] and
/// [`Timestamp::MAX`]. The type of a time library (`jiff::Timestamp`) ends in the year 9999, so that
/// reading a row could fail and a sum could panic, and a payer's browser would have to download it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The earliest instant.
    pub const MIN: Self = Self(i64::MIN);
    /// The latest instant.
    pub const MAX: Self = Self(i64::MAX);

    /// Creates an instant from milliseconds since 1970.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Creates an instant from seconds since 1970.
    #[must_use]
    pub const fn from_secs(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// The milliseconds since 1970.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// The seconds since 1970, rounded down.
    #[must_use]
    pub const fn as_secs(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The instant that is later by this time, in whole milliseconds.
    #[must_use]
    pub fn saturating_add(self, time: Duration) -> Self {
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self(self.0.saturating_add_unsigned(millis))
    }

    /// The instant that is earlier by this time, in whole milliseconds.
    #[must_use]
    pub fn saturating_sub(self, time: Duration) -> Self {
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self(self.0.saturating_sub_unsigned(millis))
    }

    /// The time since an earlier instant; `None` if that instant is later, for example because a clock was
    /// set back.
    #[must_use]
    pub fn checked_duration_since(self, earlier: Self) -> Option<Duration> {
        (earlier <= self).then(|| Duration::from_millis(self.0.abs_diff(earlier.0)))
    }

    /// The time since an earlier instant; zero if that instant is later.
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

/// Unix time in seconds (Shared objects, `date`), which has a fraction in cash-code answers. A whole number
/// is always serialized without a fraction.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(type = "number"))]
pub struct UnixTime(f64);

impl UnixTime {
    /// Creates a Unix time from whole seconds since 1970.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "exact below 2^53 seconds, which is 285 million years"
    )]
    pub fn from_seconds(seconds: i64) -> Self {
        Self(seconds as f64)
    }

    /// The instant, rounded to milliseconds.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast saturates, and such a date is nonsense anyway"
    )]
    pub fn timestamp(self) -> Timestamp {
        // wasm has an instruction for `floor`, but would need a function for `round`.
        Timestamp::from_millis((self.0 * 1000.0 + 0.5).floor() as i64)
    }
}

impl Serialize for UnixTime {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only whole numbers that fit are cast"
    )]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Above 2^53 the cast could change the number.
        if self.0.fract() == 0.0 && self.0.abs() <= 9_007_199_254_740_992.0 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for UnixTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let time = if_number(deserializer)?;
        time.ok_or_else(|| de::Error::custom("expected Unix time in seconds"))
    }
}

/// Reads a number; any other value becomes `None`. An unreadable date must not make the whole answer
/// unreadable, since it may report a payment.
pub(crate) fn if_number<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<UnixTime>, D::Error> {
    deserializer.deserialize_any(UnixTimeVisitor)
}

struct UnixTimeVisitor;

#[expect(
    clippy::cast_precision_loss,
    reason = "exact below 2^53 seconds, which is 285 million years"
)]
impl<'de> Visitor<'de> for UnixTimeVisitor {
    type Value = Option<UnixTime>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unix time in seconds")
    }

    fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<Self::Value, E> {
        Ok(Some(UnixTime(seconds as f64)))
    }

    fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<Self::Value, E> {
        Ok(Some(UnixTime(seconds as f64)))
    }

    fn visit_f64<E: de::Error>(self, seconds: f64) -> Result<Self::Value, E> {
        Ok(Some(UnixTime(seconds)))
    }

    other_scalars!(None; visit_bool(bool) visit_str(&str));
    other_collections!(None);
}

#[cfg(test)]
mod tests {
    use super::{Timestamp, UnixTime};
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

    #[test]
    fn a_number_is_written_as_it_came_and_whole_ones_without_a_fraction() {
        let check = |json: &str, written: &str| {
            let time: UnixTime = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&time).unwrap(), written);
        };
        check("1707326367", "1707326367");
        check("1707326367.0", "1707326367");
        check("1707326367.25", "1707326367.25");
        check("-1", "-1");
        check("1e300", "1e+300");
    }

    #[test]
    fn milliseconds_are_rounded_and_never_overflow() {
        let millis = |json: &str| {
            let time: UnixTime = serde_json::from_str(json).unwrap();
            time.timestamp().as_millis()
        };
        assert_eq!(millis("1707326367.2504"), 1_707_326_367_250);
        assert_eq!(millis("-0.5"), -500);
        assert_eq!(millis("1e300"), i64::MAX);
        assert_eq!(UnixTime::from_seconds(i64::MIN).timestamp(), Timestamp::MIN);
    }

    #[test]
    fn only_numbers_are_read() {
        for json in ["\"1707326367\"", "true", "{}", "[]", "null"] {
            let error = serde_json::from_str::<UnixTime>(json).unwrap_err();
            let error = error.to_string();
            assert!(
                error.contains("expected Unix time in seconds"),
                "{json}: {error}"
            );
        }
    }
}
