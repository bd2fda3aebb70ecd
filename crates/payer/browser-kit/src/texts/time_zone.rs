//! Money and dates of many rows, in a time zone that need not be the browser's.

use super::intl::{Formatter, format, number};
use super::{Locale, money};
use checkout_texts::unbroken;
use payment_model::{Money, Timestamp};

/// The formatters of one language and time zone, made once for thousands of rows: to make one takes the
/// browser long.
pub struct ZoneFormatter {
    locale: Locale,
    date: Option<Formatter>,
    clock: Option<Formatter>,
    day_and_clock: Option<Formatter>,
}

impl ZoneFormatter {
    /// Formatters for this language and time zone.
    #[must_use]
    pub fn new(locale: Locale, zone: &str) -> Self {
        let options = [
            ("timeZone", zone),
            ("dateStyle", "medium"),
            ("timeStyle", "medium"),
        ];
        let clock = [
            ("timeZone", zone),
            ("hour", "numeric"),
            ("minute", "2-digit"),
            ("day", "numeric"),
            ("month", "short"),
        ];
        let make = |options: &[_]| Formatter::new("DateTimeFormat", locale.tag(), options);
        Self {
            locale,
            date: make(&options),
            clock: make(&clock[..3]),
            day_and_clock: make(&clock),
        }
    }

    /// An instant as date and time in the time zone.
    #[must_use]
    pub fn instant(&self, at: Timestamp) -> Option<String> {
        self.date.as_ref()?.format(&number(at).into()).map(unbroken)
    }

    /// An instant as the time of its day, with the day where that is not today.
    #[must_use]
    pub fn short(&self, at: Timestamp, is_today: bool) -> Option<String> {
        let formatter = if is_today {
            &self.clock
        } else {
            &self.day_and_clock
        };
        formatter.as_ref()?.format(&number(at).into()).map(unbroken)
    }

    /// Returns an amount as people write it. An amount that is no plain number of cents, or in a
    /// currency that ISO 4217 does not know, stays as it came.
    #[must_use]
    pub fn money(&self, money: &Money) -> String {
        money::money(self.locale.tag(), money)
    }
}

/// Returns the local time in a zone at an instant, such as `2026-11-21 16:52:08`. `None` for a zone that the
/// browser does not know.
#[must_use]
pub fn local_time_in(zone: &str, at: Timestamp) -> Option<String> {
    let options = [
        ("timeZone", zone),
        ("hourCycle", "h23"),
        ("year", "numeric"),
        ("month", "2-digit"),
        ("day", "2-digit"),
        ("hour", "2-digit"),
        ("minute", "2-digit"),
        ("second", "2-digit"),
    ];
    // Swedish writes dates as ISO 8601 does.
    format("DateTimeFormat", "sv-SE", &options, number(at))
}
