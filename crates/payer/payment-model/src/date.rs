use crate::calendar::{format_utc, parse_utc};
use crate::lenient::{absent, text_if_any};
use crate::time::if_number;
use crate::{Timestamp, UnixTime};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::time::Duration;

/// The plausible dates of the service: from 2000 to the end of 2199. Zero, the year 9999, and milliseconds
/// that were sent as seconds are outside; sums with a plausible date cannot overflow.
const PLAUSIBLE_DATES: Range<Timestamp> =
    Timestamp::from_millis(946_684_800_000)..Timestamp::from_millis(7_258_118_400_000);

/// Two fields that are further apart contradict each other. A time zone that the sender forgot to convert
/// makes a smaller difference.
const MAX_FIELD_DIFFERENCE: Duration = Duration::from_hours(24);

/// An instant in the two forms of the service (Shared objects, `date`). Both fields may be absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct DateObject {
    /// In UTC: `2024-02-07T17:19:27`, with or without fractional seconds and with or without `Z` or
    /// `+00:00`.
    #[serde(
        default,
        deserialize_with = "text_if_any",
        skip_serializing_if = "absent"
    )]
    pub utc_time: Option<String>,
    /// Seconds since 1970.
    #[serde(
        default,
        deserialize_with = "if_number",
        skip_serializing_if = "absent"
    )]
    pub unix_time: Option<UnixTime>,
}

impl DateObject {
    /// Creates the date object of an instant, with whole seconds in `unix_time` and milliseconds in
    /// `utc_time`.
    #[must_use]
    pub fn from_timestamp(instant: Timestamp) -> Self {
        Self {
            utc_time: Some(format_utc(instant.as_millis())),
            unix_time: Some(UnixTime::from_seconds(instant.as_secs())),
        }
    }

    /// The instant; `None` if neither field can be parsed or both are implausible (before 2000 or after
    /// 2199).
    ///
    /// If both fields are plausible, `unix_time` is used, since it has no time zone. If it has whole
    /// seconds and `utc_time` a fraction, the result is up to a second early, but never late. If the
    /// fields are more than a day apart, the later one is used: a deadline that is too late does little
    /// harm, since the service itself reports the expiry, but one that is too early hides a code that can
    /// still be paid, and lets the payer request a second one.
    #[must_use]
    pub fn timestamp(&self) -> Option<Timestamp> {
        let plausible = |instant: &Timestamp| PLAUSIBLE_DATES.contains(instant);
        let unix = self.unix_time.map(UnixTime::timestamp).filter(plausible);
        let utc = self
            .utc_time
            .as_deref()
            .and_then(parse_utc)
            .map(Timestamp::from_millis)
            .filter(plausible);
        match (unix, utc) {
            (Some(unix), Some(utc))
                if unix.duration_since(utc).max(utc.duration_since(unix))
                    > MAX_FIELD_DIFFERENCE =>
            {
                Some(unix.max(utc))
            }
            _ => unix.or(utc),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DateObject, PLAUSIBLE_DATES};
    use crate::Timestamp;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn millis(json: &str) -> Option<i64> {
        serde_json::from_str::<DateObject>(json)
            .unwrap()
            .timestamp()
            .map(Timestamp::as_millis)
    }

    #[test]
    fn a_field_of_another_type_is_no_date() {
        for value in ["\"1707326367\"", "\"\"", "true", "null"] {
            let json = format!(r#"{{"unix_time":{value},"utc_time":"2024-02-07T17:19:27Z"}}"#);
            assert_eq!(millis(&json), Some(1_707_326_367_000), "{json}");
            assert_eq!(
                millis(&format!(r#"{{"unix_time":{value}}}"#)),
                None,
                "{value}"
            );
        }
        for value in ["1707326367", "1707326367.25", "false", "null"] {
            let json = format!(r#"{{"utc_time":{value},"unix_time":1707326367}}"#);
            assert_eq!(millis(&json), Some(1_707_326_367_000), "{json}");
            assert_eq!(
                millis(&format!(r#"{{"utc_time":{value}}}"#)),
                None,
                "{value}"
            );
        }
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
    fn the_possible_field_wins_and_without_one_there_is_no_date() {
        let (seconds, utc) = (1_707_326_367_i64, "2024-02-07T17:19:27Z");
        let instant = Some(seconds * 1000);
        for unix in [
            "0",
            "-1",
            "0.5",
            "1",
            "946684799",
            "7258118400",
            "253402300799",
            "1707326367000",
            "9223372036854775807",
            "-9223372036854775808",
            "18446744073709551615",
            "1e300",
            "-1e300",
        ] {
            let both = format!(r#"{{"unix_time":{unix},"utc_time":"{utc}"}}"#);
            assert_eq!(millis(&both), instant, "{both}");
            let alone = format!(r#"{{"unix_time":{unix}}}"#);
            assert_eq!(millis(&alone), None, "{alone}");
        }
        for utc in [
            "0000-01-01T00:00:00",
            "0001-01-01T00:00:00Z",
            "1970-01-01T00:00:00Z",
            "1999-12-31T23:59:59.999Z",
            "2200-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "9999-99-99T99:99:99Z",
        ] {
            let both = format!(r#"{{"unix_time":{seconds},"utc_time":"{utc}"}}"#);
            assert_eq!(millis(&both), instant, "{both}");
            let neither = format!(r#"{{"unix_time":0,"utc_time":"{utc}"}}"#);
            assert_eq!(millis(&neither), None, "{neither}");
        }
        for (first, last) in [("946684800", "7258118399"), ("1e9", "7258118399.999")] {
            assert!(millis(&format!(r#"{{"unix_time":{first}}}"#)).is_some());
            assert!(millis(&format!(r#"{{"unix_time":{last}}}"#)).is_some());
        }
    }

    #[test]
    fn of_two_possible_fields_the_one_without_a_zone_wins_and_a_contradiction_is_told_late() {
        let seconds = 1_707_326_367_i64;
        let check = |unix: i64, utc: &str, expected: i64| {
            let json = format!(r#"{{"unix_time":{unix},"utc_time":"{utc}"}}"#);
            assert_eq!(millis(&json), Some(expected * 1000), "{json}");
        };
        // A local time of the merchant, and fields that are exactly a day apart.
        check(seconds, "2024-02-07T12:19:27", seconds);
        check(seconds, "2024-02-08T17:19:27", seconds);
        check(seconds, "2024-02-06T17:19:27", seconds);
        // Fields that are a day and a second apart.
        check(seconds, "2024-02-08T17:19:28", seconds + 86_401);
        check(seconds, "2024-02-06T17:19:26", seconds);
        check(seconds, "2199-12-31T23:59:59Z", 7_258_118_399);
        check(7_258_118_399, "2024-02-07T17:19:27Z", 7_258_118_399);
    }

    proptest! {
        #[test]
        fn no_date_object_panics_and_what_it_tells_is_possible(
            utc in proptest::option::of(prop_oneof![
                "\\PC*",
                "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,20})?(Z|\\+00:00)?",
            ]),
            unix in proptest::option::of(prop_oneof![
                any::<f64>().prop_map(Value::from),
                any::<i64>().prop_map(Value::from),
                any::<u64>().prop_map(Value::from),
                (-1e14_f64..1e14).prop_map(Value::from),
            ]),
        ) {
            let json = json!({"utc_time": utc, "unix_time": unix});
            let date: DateObject = serde_json::from_value(json).unwrap();
            prop_assert!(date.timestamp().is_none_or(|instant| PLAUSIBLE_DATES.contains(&instant)));
        }

        #[test]
        fn any_instant_can_be_written(millis in any::<i64>()) {
            let instant = Timestamp::from_millis(millis);
            let read = DateObject::from_timestamp(instant).timestamp();
            prop_assert_eq!(read.is_some(), PLAUSIBLE_DATES.contains(&instant));
        }
    }

    #[test]
    fn a_missing_date_is_none_and_stays_missing() {
        assert_eq!(millis("{}"), None);
        assert_eq!(millis(r#"{"utc_time":"soon"}"#), None);
        for (json, written) in [
            ("{}", "{}"),
            (r#"{"utc_time":null,"unix_time":null}"#, "{}"),
            (
                r#"{"unix_time":1707326367.25}"#,
                r#"{"unix_time":1707326367.25}"#,
            ),
            (
                r#"{"utc_time":"2024-02-07T17:19:27"}"#,
                r#"{"utc_time":"2024-02-07T17:19:27"}"#,
            ),
        ] {
            let date: DateObject = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&date).unwrap(), written);
        }
    }

    #[test]
    fn an_instant_becomes_both_fields() {
        let date = DateObject::from_timestamp(Timestamp::from_millis(1_707_326_367_250));
        assert_eq!(
            serde_json::to_string(&date).unwrap(),
            r#"{"utc_time":"2024-02-07T17:19:27.250Z","unix_time":1707326367}"#
        );
        assert_eq!(date.timestamp(), Some(Timestamp::from_secs(1_707_326_367)));
    }
}
