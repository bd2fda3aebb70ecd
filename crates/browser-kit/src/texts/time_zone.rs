//! Money and dates in great numbers, in a time zone that is not the browser's.

use super::intl::{Formatter, number};
use super::{Locale, money};
use payment_model::{Money, Timestamp};
use std::cell::RefCell;
use wasm_bindgen::JsValue;

/// The formatters of one language and time zone, each made once: thousands of rows use them.
pub struct Zoned {
    locale: Locale,
    date: Option<Formatter>,
    money: RefCell<Vec<(u16, Option<Formatter>)>>,
}

impl Zoned {
    /// Formatters for this language and time zone.
    #[must_use]
    pub fn new(locale: Locale, zone: &str) -> Self {
        let text = |name: &'static str, value: &str| (name, JsValue::from_str(value));
        let options = [
            text("timeZone", zone),
            text("dateStyle", "medium"),
            text("timeStyle", "medium"),
        ];
        Self {
            locale,
            date: Formatter::new("DateTimeFormat", locale.tag(), &options),
            money: RefCell::default(),
        }
    }

    /// An instant as date and time in the time zone.
    #[must_use]
    pub fn instant(&self, at: Timestamp) -> Option<String> {
        self.date.as_ref()?.format(&number(at))
    }

    /// Returns an amount as people write it. An amount that is no plain number of cents, or in a
    /// currency that ISO 4217 does not know, stays as it came.
    #[must_use]
    pub fn money(&self, money: &Money) -> String {
        money::write(money, |iso, digits, amount| {
            let mut known = self.money.borrow_mut();
            let at = known
                .iter()
                .position(|(numeric, _)| *numeric == iso.numeric);
            let at = at.unwrap_or_else(|| {
                known.push((
                    iso.numeric,
                    money::formatter(self.locale, iso, digits, "symbol"),
                ));
                known.len() - 1
            });
            known[at].1.as_ref()?.format(&JsValue::from_str(amount))
        })
    }
}

/// Returns the local time of a zone at an instant, from the year to the seconds. `None` for a zone
/// that the browser does not know.
#[must_use]
pub fn wall_clock(zone: &str, at: Timestamp) -> Option<String> {
    thread_local! {
        static LAST: RefCell<Option<(String, Option<Formatter>)>> = const { RefCell::new(None) };
    }
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(known, _)| known != zone) {
            let text = |name: &'static str, value: &str| (name, JsValue::from_str(value));
            let options = [
                text("timeZone", zone),
                text("hourCycle", "h23"),
                text("year", "numeric"),
                text("month", "2-digit"),
                text("day", "2-digit"),
                text("hour", "2-digit"),
                text("minute", "2-digit"),
                text("second", "2-digit"),
            ];
            // Swedish writes dates as ISO 8601 does.
            let made = Formatter::new("DateTimeFormat", "sv-SE", &options);
            *last = Some((zone.to_owned(), made));
        }
        last.as_ref()?.1.as_ref()?.format(&number(at))
    })
}
