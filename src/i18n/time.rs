use super::{Locale, Text, intl};
use wasm_bindgen::JsValue;

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;

/// The time left as digits: `14:59`, or `1:04:59` above an hour. A started second counts
/// whole, so that zero is shown when the time is over and not before.
pub(crate) fn countdown(remaining: i64) -> String {
    let seconds = remaining.max(0).saturating_add(SECOND - 1) / SECOND;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let two = |number: i64| [if number < 10 { "0" } else { "" }, &number.to_string()].concat();
    if hours > 0 {
        [&hours.to_string(), ":", &two(minutes), ":", &two(seconds)].concat()
    } else {
        [&minutes.to_string(), ":", &two(seconds)].concat()
    }
}

/// The times left at which a screen reader speaks. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Mark {
    /// More than ten minutes, or no deadline: silence.
    #[default]
    None,
    TenMinutes,
    FiveMinutes,
    TwoMinutes,
    OneMinute,
    HalfMinute,
    TenSeconds,
}

impl Mark {
    /// The last mark that was passed with this time left.
    pub(crate) fn of(remaining: Option<i64>) -> Self {
        match remaining {
            Some(..0) | None => Self::None,
            Some(0..=10_000) => Self::TenSeconds,
            Some(..=30_000) => Self::HalfMinute,
            Some(left) if left <= MINUTE => Self::OneMinute,
            Some(left) if left <= 2 * MINUTE => Self::TwoMinutes,
            Some(left) if left <= 5 * MINUTE => Self::FiveMinutes,
            Some(left) if left <= 10 * MINUTE => Self::TenMinutes,
            Some(_) => Self::None,
        }
    }

    pub(crate) fn text(self) -> Option<Text> {
        match self {
            Self::None => None,
            Self::TenMinutes => Some(Text::TenMinutes),
            Self::FiveMinutes => Some(Text::FiveMinutes),
            Self::TwoMinutes => Some(Text::TwoMinutes),
            Self::OneMinute => Some(Text::OneMinute),
            Self::HalfMinute => Some(Text::HalfMinute),
            Self::TenSeconds => Some(Text::TenSeconds),
        }
    }
}

/// How much of an instant is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Hour and minute.
    Minutes,
    /// The same with seconds, for what just happened.
    Seconds,
    /// Date and time zone too, since a payer may write it down and pay elsewhere.
    Dated,
}

/// An instant as local time.
pub(super) fn format(locale: Locale, millis: i64, clock: Clock) -> Option<String> {
    // Whole milliseconds of any real date are exact in a JavaScript number.
    #[allow(clippy::cast_precision_loss, reason = "dates stay far below 2^53")]
    let instant = JsValue::from_f64(millis as f64);
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
        let options: Vec<_> = options
            .into_iter()
            .map(|(name, value)| (name, JsValue::from_str(value)))
            .collect();
        intl::format("DateTimeFormat", locale.tag(), &options, &instant)
    };
    // "hora de Perú" where the browser has it, else "GMT-5".
    say("longGeneric").or_else(|| say("short"))
}

#[cfg(test)]
mod tests {
    #[cfg(target_family = "wasm")]
    use super::Clock;
    use super::{Mark, countdown};
    #[cfg(target_family = "wasm")]
    use crate::i18n::Locale;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn the_countdown_shows_zero_only_when_the_time_is_over() {
        let check = |remaining, text: &str| assert_eq!(countdown(remaining), text);
        check(900_000, "15:00");
        check(899_999, "15:00");
        check(899_000, "14:59");
        check(9_001, "0:10");
        check(1, "0:01");
        check(0, "0:00");
        check(-5_000, "0:00");
        check(3_899_000, "1:04:59");
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn each_mark_is_passed_once() {
        let mut marks = vec![];
        for remaining in (-60..=720).rev() {
            let mark = Mark::of(Some(remaining * 1_000));
            if marks.last() != Some(&(mark, remaining)) && mark != Mark::None {
                match marks.last() {
                    Some((last, _)) if *last == mark => {}
                    _ => marks.push((mark, remaining)),
                }
            }
        }
        let at: Vec<i64> = marks.iter().map(|(_, remaining)| *remaining).collect();
        assert_eq!(at, [600, 300, 120, 60, 30, 10]);
        assert!(marks.is_sorted());
        assert!(marks.iter().all(|(mark, _)| mark.text().is_some()));
        assert_eq!(Mark::of(None), Mark::None);
    }

    #[cfg(target_family = "wasm")]
    #[wasm_bindgen_test]
    fn an_instant_is_local_and_names_its_zone_when_it_is_far() {
        for locale in Locale::ALL {
            let soon = super::format(locale, 1_707_326_367_000, Clock::Minutes).unwrap();
            let far = super::format(locale, 1_707_326_367_000, Clock::Dated).unwrap();
            // In any zone, the minutes are the same or half an hour off.
            assert!(soon.contains(":19") || soon.contains(":49"), "{soon}");
            assert!(far.len() > soon.len() + 10 && far.contains('7'), "{far}");
        }
        assert_eq!(super::format(Locale::EsPe, i64::MAX, Clock::Minutes), None);
    }
}
