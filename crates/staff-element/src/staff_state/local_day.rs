//! Days of the merchant's time zone as instants.

use payment_model::{DateObject, Timestamp};

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// By how many milliseconds local time is ahead of UTC at an instant; `None` when the zone is
/// unknown.
pub(crate) type Offset = fn(zone: &str, instant: i64) -> Option<i64>;

/// The first instant of a day such as `2026-11-21`, in milliseconds since 1970; `None` when
/// there is no such day or zone.
///
/// In a zone where the clocks change at midnight the day may begin later. The function returns that
/// later instant.
pub(crate) fn start(day: &str, zone: &str, offset: Offset) -> Option<i64> {
    let as_utc = utc(&[day, "T00:00:00"].concat())?;
    // The offset at the guess may be that before a change; asked again where it leads, it is
    // right on either side.
    let guess = as_utc - offset(zone, as_utc)?;
    let second = as_utc - offset(zone, guess)?;
    let starts = |instant: i64| {
        let local = instant + offset(zone, instant)?;
        (local.div_euclid(DAY) == as_utc.div_euclid(DAY)).then_some(instant)
    };
    // The earlier one when midnight comes twice, the later one when it does not come at all.
    let (early, late) = (guess.min(second), guess.max(second));
    starts(early).or_else(|| starts(late))
}

/// The first instant after a day.
pub(crate) fn end(day: &str, zone: &str, offset: Offset) -> Option<i64> {
    let next = utc(&[day, "T00:00:00"].concat())? + DAY;
    start(stamp(next).get(..10)?, zone, offset)
}

/// An instant as `2026-11-21T05:00:00Z`.
pub(crate) fn instant(millis: i64) -> String {
    [stamp(millis).get(..19).unwrap_or_default(), "Z"].concat()
}

/// An instant as `2026-11-21 05:00:00`, for people.
pub(crate) fn universal(millis: i64) -> String {
    stamp(millis)
        .get(..19)
        .unwrap_or_default()
        .replace('T', " ")
}

/// Returns the offset between a local time such as `2026-11-21 00:00:00` and its instant. Any text
/// may stand between the numbers.
pub(crate) fn offset_of(local: &str, instant: i64) -> Option<i64> {
    let numbers: Vec<&str> = local
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .collect();
    let [year, month, day, hour, minute, second] = numbers[..] else {
        return None;
    };
    let text = [
        year, "-", month, "-", day, "T", hour, ":", minute, ":", second,
    ]
    .concat();
    // Local time has no parts of a second here.
    Some(utc(&text)? - instant.div_euclid(1_000) * 1_000)
}

fn utc(text: &str) -> Option<i64> {
    let date = DateObject {
        utc_time: Some(text.to_owned()),
        unix_time: None,
    };
    date.timestamp().map(Timestamp::as_millis)
}

fn stamp(millis: i64) -> String {
    DateObject::from_timestamp(Timestamp::from_millis(millis))
        .utc_time
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{MINUTE, end, instant, offset_of, start, universal, utc};

    const HOUR: i64 = 60 * MINUTE;

    /// Lima never changes its clocks; the second zone does at midnight, as Santiago: on
    /// 2026-09-06 the day begins at 01:00, on 2026-04-05 23:00 to 24:00 comes twice before it.
    fn offset(zone: &str, at: i64) -> Option<i64> {
        match zone {
            "America/Lima" => Some(-5 * HOUR),
            "America/Santiago" => {
                let winter = utc("2026-04-05T03:00:00").unwrap();
                let summer = utc("2026-09-06T04:00:00").unwrap();
                Some(
                    if (winter..summer).contains(&at) {
                        -4
                    } else {
                        -3
                    } * HOUR,
                )
            }
            "Pacific/Auckland" => Some(13 * HOUR),
            _ => None,
        }
    }

    #[test]
    fn a_day_is_what_the_merchant_calls_one() {
        let check = |day, zone, from: &str, to: &str| {
            assert_eq!(instant(start(day, zone, offset).unwrap()), from, "{day}");
            assert_eq!(instant(end(day, zone, offset).unwrap()), to, "{day}");
        };
        let lima = "America/Lima";
        check(
            "2026-11-21",
            lima,
            "2026-11-21T05:00:00Z",
            "2026-11-22T05:00:00Z",
        );
        check(
            "2026-12-31",
            lima,
            "2026-12-31T05:00:00Z",
            "2027-01-01T05:00:00Z",
        );
        check(
            "2028-02-28",
            lima,
            "2028-02-28T05:00:00Z",
            "2028-02-29T05:00:00Z",
        );
        let auckland = "Pacific/Auckland";
        check(
            "2026-11-21",
            auckland,
            "2026-11-20T11:00:00Z",
            "2026-11-21T11:00:00Z",
        );
        let santiago = "America/Santiago";
        check(
            "2026-09-05",
            santiago,
            "2026-09-05T04:00:00Z",
            "2026-09-06T04:00:00Z",
        );
        check(
            "2026-09-06",
            santiago,
            "2026-09-06T04:00:00Z",
            "2026-09-07T03:00:00Z",
        );
        check(
            "2026-04-04",
            santiago,
            "2026-04-04T03:00:00Z",
            "2026-04-05T04:00:00Z",
        );
        check(
            "2026-04-05",
            santiago,
            "2026-04-05T04:00:00Z",
            "2026-04-06T04:00:00Z",
        );
    }

    #[test]
    fn days_that_are_none_and_zones_that_nobody_knows_give_nothing() {
        for day in ["", "2026-02-30", "21/11/2026", "2026-11", "tomorrow"] {
            assert_eq!(start(day, "America/Lima", offset), None, "{day}");
            assert_eq!(end(day, "America/Lima", offset), None, "{day}");
        }
        assert_eq!(start("2026-11-21", "Mars/Olympus", offset), None);
    }

    #[test]
    fn an_instant_is_written_for_people_in_utc() {
        let at = utc("2026-11-22T04:59:59").unwrap();
        assert_eq!(universal(at + 999), "2026-11-22 04:59:59");
    }

    #[test]
    fn a_local_time_tells_its_offset() {
        let at = utc("2026-11-21T05:00:07").unwrap() + 250;
        assert_eq!(offset_of("2026-11-21 00:00:07", at), Some(-5 * HOUR));
        assert_eq!(offset_of("2026-11-21, 10:45:07", at), Some(345 * MINUTE));
        assert_eq!(offset_of("soon", at), None);
        assert_eq!(offset_of("2026-11-21 00:00", at), None);
    }
}
