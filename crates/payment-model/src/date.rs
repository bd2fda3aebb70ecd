use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// An instant as the service writes it (Shared objects, `date`); both fields may be absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct DateObject {
    /// UTC, `2024-02-07T17:19:27`, with or without fractional seconds and a `Z` or `+00:00`.
    #[serde(default)]
    pub utc_time: Option<String>,
    /// Unix time.
    #[serde(default)]
    pub unix_time: Option<UnixTime>,
}

impl DateObject {
    /// The date object of an instant given in milliseconds since 1970, with whole seconds in
    /// `unix_time` and milliseconds in `utc_time`.
    #[must_use]
    pub fn from_unix_millis(millis: i64) -> Self {
        let (days, in_day) = (millis.div_euclid(DAY), millis.rem_euclid(DAY));
        let (year, month, day) = civil_from_days(days);
        let (seconds, fraction) = (in_day / 1000, in_day % 1000);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        Self {
            utc_time: Some(format!(
                "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z"
            )),
            unix_time: Some(UnixTime::from_seconds(millis.div_euclid(1000))),
        }
    }

    /// The instant in milliseconds since 1970, from `unix_time` or else from `utc_time`;
    /// `None` when neither can be read.
    ///
    /// When the two disagree by less than a second, `utc_time` only carries the fraction.
    #[must_use]
    pub fn unix_millis(&self) -> Option<i64> {
        self.unix_time
            .map(UnixTime::millis)
            .or_else(|| parse_utc(self.utc_time.as_deref()?))
    }
}

/// Unix time in seconds: a whole number, or a decimal one in cash-code answers. A number in
/// text is read too.
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

    /// Milliseconds since 1970, rounded.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast saturates, and such a date is nonsense anyway"
    )]
    pub fn millis(self) -> i64 {
        (self.0 * 1000.0).round() as i64
    }
}

impl Serialize for UnixTime {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only numbers without a fraction are cast"
    )]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for UnixTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UnixTimeVisitor)
    }
}

struct UnixTimeVisitor;

#[expect(
    clippy::cast_precision_loss,
    reason = "exact below 2^53 seconds, which is 285 million years"
)]
impl Visitor<'_> for UnixTimeVisitor {
    type Value = UnixTime;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unix time in seconds")
    }

    fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<UnixTime, E> {
        Ok(UnixTime(seconds as f64))
    }

    fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<UnixTime, E> {
        Ok(UnixTime(seconds as f64))
    }

    fn visit_f64<E: de::Error>(self, seconds: f64) -> Result<UnixTime, E> {
        Ok(UnixTime(seconds))
    }
}

const DAY: i64 = 86_400_000;

/// Reads exactly the documented forms; the absent suffix means UTC too.
fn parse_utc(text: &str) -> Option<i64> {
    let text = text
        .strip_suffix('Z')
        .or_else(|| text.strip_suffix("+00:00"))
        .unwrap_or(text);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let number = |range: std::ops::Range<usize>| digits(whole.get(range)?);
    let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    let shaped = whole.len() == 19
        && separators
            .iter()
            .all(|&(at, byte)| whole.as_bytes()[at] == byte);
    if !shaped || fraction.is_empty() {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    digits(fraction)?;
    let millis = fraction
        .bytes()
        .chain(*b"00")
        .take(3)
        .fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    let days = days_from_civil(year, month, day);
    // A day that the calendar does not have comes back as another one.
    let real =
        civil_from_days(days) == (year, month, day) && hour < 24 && minute < 60 && second < 60;
    real.then_some(days * DAY + ((hour * 60 + minute) * 60 + second) * 1000 + millis)
}

/// A number of ASCII digits; the fraction of a second may be long, hence only its first 18.
fn digits(text: &str) -> Option<i64> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        text.get(..text.len().min(18))?.parse().ok()
    } else {
        None
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar; years begin in March here, so
/// that the leap day is the last one.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The inverse of [`days_from_civil`].
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = (shifted_month + 2) % 12 + 1;
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{DateObject, parse_utc};
    use proptest::prelude::*;

    fn millis(json: &str) -> Option<i64> {
        serde_json::from_str::<DateObject>(json)
            .unwrap()
            .unix_millis()
    }

    #[test]
    fn every_documented_form_is_the_same_instant() {
        let instant = Some(1_707_326_367_000);
        for json in [
            r#"{"utc_time":"2024-02-07T17:19:27Z"}"#,
            r#"{"utc_time":"2024-02-07T17:19:27"}"#,
            r#"{"utc_time":"2024-02-07T17:19:27+00:00"}"#,
            r#"{"utc_time":"2024-02-07T17:19:27.000000"}"#,
            r#"{"utc_time":"2024-02-07T17:19:27.000Z"}"#,
            r#"{"utc_time":"2024-02-07T17:19:27.0+00:00","unix_time":null}"#,
            r#"{"unix_time":1707326367}"#,
            r#"{"unix_time":1707326367.0,"utc_time":null}"#,
            r#"{"unix_time":1707326367.0001,"utc_time":"nonsense"}"#,
        ] {
            assert_eq!(millis(json), instant, "{json}");
        }
        assert_eq!(
            millis(r#"{"unix_time":1707326367.25}"#),
            Some(1_707_326_367_250)
        );
        assert_eq!(
            millis(r#"{"utc_time":"2024-02-07T17:19:27.25"}"#),
            Some(1_707_326_367_250)
        );
    }

    #[test]
    fn a_missing_or_odd_date_is_none() {
        assert_eq!(millis("{}"), None);
        for text in [
            "",
            "2024-02-07",
            "2024-02-30T00:00:00",
            "2024-13-01T00:00:00",
            "2024-00-01T00:00:00",
            "2024-02-07T24:00:00",
            "2024-02-07T17:60:00",
            "2024-02-07T17:19:27.",
            "2024-02-07T17:19:27-05:00",
            "2024-02-07T17:19:27.1e3",
            "+024-02-07T17:19:27",
            "2024-02-07t17:19:27",
            "2024-02-07T17:19:2٧",
        ] {
            assert_eq!(parse_utc(text), None, "{text:?}");
        }
    }

    #[test]
    fn unix_time_keeps_its_form() {
        for json in [
            r#"{"utc_time":null,"unix_time":1707326367}"#,
            r#"{"utc_time":null,"unix_time":1707326367.25}"#,
        ] {
            let date: DateObject = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&date).unwrap(), json);
        }
    }

    proptest! {
        #[test]
        fn dates_agree_with_a_calendar(millis in -62_135_596_800_000_i64..253_402_300_799_999) {
            let date = DateObject::from_unix_millis(millis);
            let text = date.utc_time.unwrap();
            let calendar: jiff::Timestamp = text.parse().unwrap();
            prop_assert_eq!(calendar.as_millisecond(), millis);
            prop_assert_eq!(parse_utc(&text), Some(millis));
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in "\\PC*") {
            let _ = parse_utc(&text);
        }
    }
}
