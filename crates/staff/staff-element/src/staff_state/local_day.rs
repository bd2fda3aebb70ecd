//! Days of the merchant's time zone as instants.

use payment_model::{DateObject, Timestamp};
use std::time::Duration;

const DAY: Duration = Duration::from_secs(86_400);

/// By how much the clocks of a time zone are ahead of UTC at an instant, or behind it. A
/// [`Duration`] cannot be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ZoneOffset {
    millis: i64,
}

impl ZoneOffset {
    /// So many hours ahead.
    #[cfg(test)]
    pub(crate) const fn from_hours(hours: i64) -> Self {
        let millis = hours * 3_600_000;
        Self { millis }
    }

    /// The instant at which the zone's clocks show this. `local` is what they show, read as UTC.
    fn instant_of(self, local: Timestamp) -> Timestamp {
        Timestamp::from_millis(local.as_millis().saturating_sub(self.millis))
    }

    /// Moves an instant so that UTC shows the zone's local time.
    fn shown_at(self, instant: Timestamp) -> Timestamp {
        Timestamp::from_millis(instant.as_millis().saturating_add(self.millis))
    }
}

/// Returns the offset of a zone at an instant; `None` when the zone is unknown.
pub(crate) type Offset = fn(zone: &str, instant: Timestamp) -> Option<ZoneOffset>;

/// The first instant of a day such as `2026-11-21`; `None` when there is no such day or zone.
///
/// In a zone where the clocks change at midnight the day may begin later. The function returns that
/// later instant.
pub(crate) fn start(day: &str, zone: &str, offset: Offset) -> Option<Timestamp> {
    let as_utc = utc(&[day, "T00:00:00"].concat())?;
    // The offset at the guess may be that before a change; asked again where it leads, it is
    // right on either side.
    let guess = offset(zone, as_utc)?.instant_of(as_utc);
    let second = offset(zone, guess)?.instant_of(as_utc);
    let starts = |instant: Timestamp| {
        let local = offset(zone, instant)?.shown_at(instant);
        let begun = local.checked_duration_since(as_utc);
        begun.is_some_and(|begun| begun < DAY).then_some(instant)
    };
    // The earlier one when midnight comes twice, the later one when it does not come at all.
    let (early, late) = (guess.min(second), guess.max(second));
    starts(early).or_else(|| starts(late))
}

/// The first instant after a day.
pub(crate) fn end(day: &str, zone: &str, offset: Offset) -> Option<Timestamp> {
    let next = utc(&[day, "T00:00:00"].concat())?.saturating_add(DAY);
    start(stamp(next).get(..10)?, zone, offset)
}

/// The day of an instant in a zone, such as `2026-11-21`; `None` when nobody knows the zone.
pub(crate) fn day_of(at: Timestamp, zone: &str, offset: Offset) -> Option<String> {
    let local = offset(zone, at)?.shown_at(at);
    Some(stamp(local).get(..10)?.to_owned())
}

/// An instant as `2026-11-21T05:00:00Z`.
pub(crate) fn instant(at: Timestamp) -> String {
    [stamp(at).get(..19).unwrap_or_default(), "Z"].concat()
}

/// An instant as `2026-11-21 05:00:00`, for people.
pub(crate) fn universal(at: Timestamp) -> String {
    stamp(at).get(..19).unwrap_or_default().replace('T', " ")
}

/// Returns the offset between a local time such as `2026-11-21 00:00:00` and its instant. Any text
/// may stand between the numbers.
pub(crate) fn offset_of(local: &str, instant: Timestamp) -> Option<ZoneOffset> {
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
    let seconds = utc(&text)?.as_secs().saturating_sub(instant.as_secs());
    let millis = seconds.saturating_mul(1_000);
    Some(ZoneOffset { millis })
}

fn utc(text: &str) -> Option<Timestamp> {
    let date = DateObject {
        utc_time: Some(text.to_owned()),
        unix_time: None,
    };
    date.timestamp()
}

fn stamp(at: Timestamp) -> String {
    DateObject::from_timestamp(at).utc_time.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Duration, Timestamp, ZoneOffset, end, instant, offset_of, start, universal, utc};

    /// Lima never changes its clocks; the second zone does at midnight, as Santiago: on
    /// 2026-09-06 the day begins at 01:00, on 2026-04-05 23:00 to 24:00 comes twice before it.
    fn offset(zone: &str, at: Timestamp) -> Option<ZoneOffset> {
        let hours = match zone {
            "America/Lima" => -5,
            "America/Santiago" => {
                let winter = utc("2026-04-05T03:00:00").unwrap();
                let summer = utc("2026-09-06T04:00:00").unwrap();
                if (winter..summer).contains(&at) {
                    -4
                } else {
                    -3
                }
            }
            "Pacific/Auckland" => 13,
            _ => return None,
        };
        Some(ZoneOffset::from_hours(hours))
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
        assert_eq!(
            universal(at.saturating_add(Duration::from_millis(999))),
            "2026-11-22 04:59:59"
        );
    }

    #[test]
    fn a_local_time_tells_its_offset() {
        let at = utc("2026-11-21T05:00:07").unwrap();
        let at = at.saturating_add(Duration::from_millis(250));
        assert_eq!(
            offset_of("2026-11-21 00:00:07", at),
            Some(ZoneOffset::from_hours(-5))
        );
        assert_eq!(
            offset_of("2026-11-21, 10:45:07", at),
            Some(ZoneOffset {
                millis: 345 * 60_000
            })
        );
        assert_eq!(offset_of("soon", at), None);
        assert_eq!(offset_of("2026-11-21 00:00", at), None);
    }
}
