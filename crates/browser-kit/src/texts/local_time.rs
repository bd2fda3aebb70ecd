use super::{Locale, intl};
use payment_model::Timestamp;

/// How much of an instant is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Hour and minute.
    Minutes,
    /// The same with seconds, for what just happened.
    Seconds,
    /// Date and time zone too, since a payer may write it down and pay elsewhere.
    Dated,
}

/// An instant as local time. `None` when the browser cannot say it.
#[must_use]
pub fn instant(locale: Locale, at: Timestamp, clock: Clock) -> Option<String> {
    let value = intl::number(at);
    let say = |zone: &str| {
        let mut options = vec![("hour", "numeric"), ("minute", "2-digit")];
        if clock == Clock::Seconds {
            options.push(("second", "2-digit"));
        }
        if clock == Clock::Dated {
            options.extend([
                ("day", "numeric"),
                ("month", "long"),
                ("timeZoneName", zone),
            ]);
        }
        intl::format("DateTimeFormat", locale.tag(), &options, &value)
    };
    // "hora de Perú" where the browser has it, else "GMT-5".
    say("longGeneric").or_else(|| say("short"))
}

#[cfg(target_family = "wasm")]
#[cfg(test)]
mod tests {
    use super::{Clock, Locale, Timestamp};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn an_instant_is_local_and_names_its_zone_when_it_is_far() {
        for locale in Locale::ALL {
            let at = Timestamp::from_secs(1_707_326_367);
            let soon = super::instant(locale, at, Clock::Minutes).unwrap();
            let far = super::instant(locale, at, Clock::Dated).unwrap();
            // In any zone, the minutes are the same or half an hour off.
            assert!(soon.contains(":19") || soon.contains(":49"), "{soon}");
            assert!(far.len() > soon.len() + 10 && far.contains('7'), "{far}");
        }
        assert_eq!(
            super::instant(Locale::EsPe, Timestamp::MAX, Clock::Minutes),
            None
        );
    }
}
