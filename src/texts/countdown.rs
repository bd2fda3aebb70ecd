use super::Text;
use std::time::Duration;

/// A started second counts whole.
const ROUNDS_UP: Duration = Duration::from_millis(999);

/// The time left as digits: `14:59`, or `1:04:59` above an hour. A started second counts
/// whole, so that zero is shown when the time is over and not before.
pub(crate) fn countdown(remaining: Duration) -> String {
    let seconds = remaining.saturating_add(ROUNDS_UP).as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let two = |number: u64| [if number < 10 { "0" } else { "" }, &number.to_string()].concat();
    if hours > 0 {
        [&hours.to_string(), ":", &two(minutes), ":", &two(seconds)].concat()
    } else {
        [&minutes.to_string(), ":", &two(seconds)].concat()
    }
}

/// The times left at which a screen reader speaks. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Mark {
    /// More than ten minutes, no deadline, or the time is over: silence.
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
    pub(crate) fn of(remaining: Option<Duration>) -> Self {
        let left = remaining.unwrap_or_default();
        match left.saturating_add(ROUNDS_UP).as_secs() {
            1..=10 => Self::TenSeconds,
            11..=30 => Self::HalfMinute,
            31..=60 => Self::OneMinute,
            61..=120 => Self::TwoMinutes,
            121..=300 => Self::FiveMinutes,
            301..=600 => Self::TenMinutes,
            _ => Self::None,
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

#[cfg(test)]
mod tests {
    use super::{Mark, countdown};
    use std::time::Duration;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn the_countdown_shows_zero_only_when_the_time_is_over() {
        let check = |millis, text: &str| {
            assert_eq!(countdown(Duration::from_millis(millis)), text);
        };
        check(900_000, "15:00");
        check(899_999, "15:00");
        check(899_000, "14:59");
        check(9_001, "0:10");
        check(1, "0:01");
        check(0, "0:00");
        check(3_899_000, "1:04:59");
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn each_mark_is_passed_once() {
        let mut marks = vec![];
        for remaining in (0..=720).rev() {
            let mark = Mark::of(Some(Duration::from_secs(remaining)));
            if marks.last() != Some(&(mark, remaining)) && mark != Mark::None {
                match marks.last() {
                    Some((last, _)) if *last == mark => {}
                    _ => marks.push((mark, remaining)),
                }
            }
        }
        let at: Vec<u64> = marks.iter().map(|(_, remaining)| *remaining).collect();
        assert_eq!(at, [600, 300, 120, 60, 30, 10]);
        assert!(marks.is_sorted());
        assert!(marks.iter().all(|(mark, _)| mark.text().is_some()));
        assert_eq!(Mark::of(None), Mark::None);
        assert_eq!(Mark::of(Some(Duration::ZERO)), Mark::None);
        let just_before = Duration::from_millis(10_001);
        assert_eq!(Mark::of(Some(just_before)), Mark::HalfMinute);
    }
}
