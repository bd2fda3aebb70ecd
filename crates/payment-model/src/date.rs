use crate::UnixTime;
use crate::calendar::{format_utc, parse_utc};
use crate::tolerant::absent;
use serde::{Deserialize, Serialize};

/// An instant as the service writes it (Shared objects, `date`); both fields may be absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct DateObject {
    /// UTC, `2024-02-07T17:19:27`, with or without fractional seconds and a `Z` or `+00:00`.
    #[serde(default, skip_serializing_if = "absent")]
    pub utc_time: Option<String>,
    /// Seconds since 1970.
    #[serde(default, skip_serializing_if = "absent")]
    pub unix_time: Option<UnixTime>,
}

impl DateObject {
    /// The date object of an instant given in milliseconds since 1970, with whole seconds in
    /// `unix_time` and milliseconds in `utc_time`.
    #[must_use]
    pub fn from_unix_millis(millis: i64) -> Self {
        Self {
            utc_time: Some(format_utc(millis)),
            unix_time: Some(UnixTime::from_seconds(millis.div_euclid(1000))),
        }
    }

    /// The instant in milliseconds since 1970, from `unix_time` or else from `utc_time`;
    /// `None` when neither can be read.
    ///
    /// A whole `unix_time` wins over a fraction that only `utc_time` carries, so the instant may
    /// be up to a second early, never late.
    #[must_use]
    pub fn unix_millis(&self) -> Option<i64> {
        self.unix_time
            .map(UnixTime::millis)
            .or_else(|| parse_utc(self.utc_time.as_deref()?))
    }
}

#[cfg(test)]
mod tests {
    use super::DateObject;

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
        let date = DateObject::from_unix_millis(1_707_326_367_250);
        assert_eq!(
            serde_json::to_string(&date).unwrap(),
            r#"{"utc_time":"2024-02-07T17:19:27.250Z","unix_time":1707326367}"#
        );
        assert_eq!(date.unix_millis(), Some(1_707_326_367_000));
    }
}
