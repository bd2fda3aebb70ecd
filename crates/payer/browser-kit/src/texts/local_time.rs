use super::intl;
use checkout_texts::unbroken;
use payment_model::Timestamp;

/// How much of an instant is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Hour and minute.
    Minutes,
    /// Weekday and date too, since a payer may write it down and pay elsewhere.
    Dated,
    /// The year too, for a receipt.
    Words,
}

/// The payments are made in Peru, which has one time zone and no summer time.
const PERU: &str = "America/Lima";

/// An instant as local time, in the language with this tag. `None` when the browser cannot say it. A date is Peru's time,
/// and says so by the words `peru` where the browser's clock shows another one.
#[must_use]
pub fn instant(tag: &str, at: Timestamp, clock: Clock, peru: &str) -> Option<String> {
    let here = say(tag, at, clock, None)?;
    if clock != Clock::Minutes
        && let Some(there) = say(tag, at, clock, Some(PERU)).filter(|there| *there != here)
    {
        return Some(format!("{there} ({peru})"));
    }
    Some(here)
}

fn say(tag: &str, at: Timestamp, clock: Clock, zone: Option<&str>) -> Option<String> {
    let mut options = vec![("hour", "numeric"), ("minute", "2-digit")];
    if clock != Clock::Minutes {
        options.extend([("weekday", "long"), ("day", "numeric"), ("month", "long")]);
    }
    if clock == Clock::Words {
        options.push(("year", "numeric"));
    }
    options.extend(zone.map(|zone| ("timeZone", zone)));
    let said = intl::format("DateTimeFormat", tag, &options, intl::number(at))?;
    Some(unbroken(said))
}

#[cfg(target_family = "wasm")]
#[cfg(test)]
mod tests {
    use super::{Clock, Timestamp};
    use crate::texts::Locale;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_far_instant_has_its_date() {
        for &locale in Locale::ALL {
            let at = Timestamp::from_secs(1_707_326_367);
            let soon = super::instant(locale.tag(), at, Clock::Minutes, "Peru").unwrap();
            let far = super::instant(locale.tag(), at, Clock::Dated, "Peru").unwrap();
            // In any zone, the minutes are the same or half an hour off.
            assert!(soon.contains(":19") || soon.contains(":49"), "{soon}");
            assert!(far.len() > soon.len() + 10 && far.contains('7'), "{far}");
            let words = super::instant(locale.tag(), at, Clock::Words, "Peru").unwrap();
            assert!(words.contains("2024") && words.contains('7'), "{words}");
        }
        assert_eq!(
            super::instant("es-PE", Timestamp::MAX, Clock::Minutes, "Peru"),
            None
        );
    }
}
