//! Parses and formats `utc_time`. A time library is not used, since a payer's browser would have to
//! download it.

const DAY_MS: i64 = 86_400_000;

/// Formats milliseconds since 1970 as `2024-02-07T17:19:27.000Z`.
pub(crate) fn format_utc(millis: i64) -> String {
    let (days, in_day) = (millis.div_euclid(DAY_MS), millis.rem_euclid(DAY_MS));
    let (year, month, day) = civil_from_days(days);
    let (seconds, fraction) = (in_day / 1000, in_day % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

/// Parses exactly the documented forms, where an absent suffix means UTC too. Returns whole milliseconds
/// since 1970.
pub(crate) fn parse_utc(text: &str) -> Option<i64> {
    let text = text
        .strip_suffix('Z')
        .or_else(|| text.strip_suffix("+00:00"))
        .unwrap_or(text);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let part = |range: std::ops::Range<usize>| digits(whole.get(range)?);
    let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    let shaped = whole.len() == 19
        && separators
            .iter()
            .all(|&(at, byte)| whole.as_bytes()[at] == byte);
    if !shaped || fraction.is_empty() {
        return None;
    }
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    let (hour, minute, second) = (part(11..13)?, part(14..16)?, part(17..19)?);
    digits(fraction)?;
    let millis = number(fraction.bytes().chain(*b"00").take(3));
    let days = days_from_civil(year, month, day);
    // The conversion turns a day that does not exist, such as February 30, into another one.
    let real =
        civil_from_days(days) == (year, month, day) && hour < 24 && minute < 60 && second < 60;
    real.then_some(days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + millis)
}

/// Parses ASCII digits. Only the first 18 are used, which is enough for a long fraction of a second and
/// cannot overflow.
fn digits(text: &str) -> Option<i64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(number(text.bytes().take(18)))
}

fn number(digits: impl Iterator<Item = u8>) -> i64 {
    digits.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
}

/// The days since 1970-01-01 in the proleptic Gregorian calendar. The algorithm counts years from March,
/// so that the leap day is the last day of a year.
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
    use super::{DAY_MS, format_utc, parse_utc};
    use proptest::prelude::*;

    #[test]
    fn other_forms_and_impossible_dates_are_none() {
        for text in [
            "",
            "2024-02-07",
            "2024-02-30T00:00:00",
            "2024-13-01T00:00:00",
            "2024-00-01T00:00:00",
            "2024-02-07T24:00:00",
            "2024-02-07T17:60:00",
            "2024-02-07T17:19:60",
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
    fn february_ends_as_its_year_and_its_century_say() {
        for (year, last) in [
            (1900, 28),
            (1999, 28),
            (2000, 29),
            (2024, 29),
            (2100, 28),
            (2400, 29),
        ] {
            let march = format!("{year}-03-01T00:00:00.000Z");
            let february = format!("{year}-02-{last}T00:00:00.000Z");
            let calendar: jiff::Timestamp = march.parse().unwrap();
            let millis = calendar.as_millisecond();
            assert_eq!(parse_utc(&march), Some(millis));
            assert_eq!(parse_utc(&february), Some(millis - DAY_MS));
            assert_eq!(format_utc(millis), march);
            assert_eq!(format_utc(millis - DAY_MS), february);
            let next = format!("{year}-02-{}T00:00:00", last + 1);
            assert_eq!(parse_utc(&next), None, "{next}");
        }
    }

    #[test]
    fn a_long_fraction_is_cut_to_milliseconds() {
        let instant = Some(1_707_326_367_123);
        assert_eq!(
            parse_utc("2024-02-07T17:19:27.123999999999999999999999Z"),
            instant
        );
        assert_eq!(parse_utc("2024-02-07T17:19:27.123"), instant);
        assert_eq!(parse_utc("2024-02-07T17:19:27.1"), Some(1_707_326_367_100));
    }

    proptest! {
        #[test]
        fn dates_agree_with_a_calendar(millis in -62_135_596_800_000_i64..253_402_300_799_999) {
            let text = format_utc(millis);
            let calendar: jiff::Timestamp = text.parse().unwrap();
            prop_assert_eq!(calendar.as_millisecond(), millis);
            prop_assert_eq!(parse_utc(&text), Some(millis));
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in "\\PC*") {
            let _ = parse_utc(&text);
        }

        #[test]
        fn any_text_of_that_shape_is_read_without_a_panic(
            text in "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,30})?(Z|\\+00:00)?",
        ) {
            let _ = parse_utc(&text);
        }
    }
}
