use crate::Timestamp;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;

/// Unix time in seconds (Shared objects, `date`): a whole number, or a decimal one in
/// cash-code answers. A whole number is written without a fraction, however it came.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(type = "number"))]
pub struct UnixTime(f64);

impl UnixTime {
    /// Whole seconds since 1970.
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
        // The wasm has an instruction for this, and would get a function for `round`.
        Timestamp::from_millis((self.0 * 1000.0 + 0.5).floor() as i64)
    }
}

impl Serialize for UnixTime {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only whole numbers that fit are cast"
    )]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Beyond 2^53 the cast would write another number than it read.
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

/// Reads a number, and any other scalar as none: a date that cannot be read must not make the whole
/// answer unreadable, which may say that a payment was made.
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
impl Visitor<'_> for UnixTimeVisitor {
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

    fn visit_str<E: de::Error>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::UnixTime;
    use crate::Timestamp;

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
