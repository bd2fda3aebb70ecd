use std::time::Duration;

/// A started second counts whole.
const ROUNDS_UP: Duration = Duration::from_millis(999);
/// A mark that was passed so long ago still has its round time.
const JUST_NOW: Duration = Duration::from_secs(2);

/// The time left as digits: `14:59`, or `1:04:59` above an hour. A started second counts
/// whole, so that zero is shown when the time is over and not before.
pub(crate) fn countdown(remaining: Duration) -> String {
    let seconds = whole(remaining).as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
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
        match whole(remaining.unwrap_or_default()).as_secs() {
            1..=10 => Self::TenSeconds,
            11..=30 => Self::HalfMinute,
            31..=60 => Self::OneMinute,
            61..=120 => Self::TwoMinutes,
            121..=300 => Self::FiveMinutes,
            301..=600 => Self::TenMinutes,
            _ => Self::None,
        }
    }

    /// The time left when the mark is passed, in seconds.
    fn seconds(self) -> u64 {
        match self {
            Self::None => 0,
            Self::TenMinutes => 600,
            Self::FiveMinutes => 300,
            Self::TwoMinutes => 120,
            Self::OneMinute => 60,
            Self::HalfMinute => 30,
            Self::TenSeconds => 10,
        }
    }
}

/// The time left as it is said at a mark: the mark's own round time if it was passed just now, or
/// else the true time, since a device that slept passes a mark late.
pub(crate) fn said(mark: Mark, remaining: Duration) -> Duration {
    let left = whole(remaining);
    let round = Duration::from_secs(mark.seconds());
    if round.saturating_sub(left) <= JUST_NOW {
        round
    } else {
        left
    }
}

/// The whole seconds left; a started second counts whole.
pub(crate) fn whole(remaining: Duration) -> Duration {
    Duration::from_secs(remaining.saturating_add(ROUNDS_UP).as_secs())
}

#[cfg(test)]
mod tests {
    use super::{Mark, countdown, said};
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
        assert_eq!(Mark::of(None), Mark::None);
        assert_eq!(Mark::of(Some(Duration::ZERO)), Mark::None);
        let just_before = Duration::from_millis(10_001);
        assert_eq!(Mark::of(Some(just_before)), Mark::HalfMinute);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn the_time_that_is_said_after_a_sleep_is_the_true_one() {
        let check = |left, expected| {
            let left = Duration::from_secs(left);
            let told = said(Mark::of(Some(left)), left);
            assert_eq!(told, Duration::from_secs(expected));
        };
        check(300, 300);
        check(298, 300);
        check(297, 297);
        check(121, 121);
        check(47, 47);
        check(10, 10);
        check(3, 3);
    }
}
