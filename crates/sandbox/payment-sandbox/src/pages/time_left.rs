use super::words::Words;
use std::time::Duration;

/// Formats the time for which an operation can still be paid.
pub(super) fn time_left(words: &Words, time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours) = (seconds / 86_400, seconds / 3_600 % 24);
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60);
    let left = words.left;
    if days > 0 {
        format!("{left} {days} {} {hours} h", words.days)
    } else if hours > 0 {
        format!("{left} {hours} h {minutes} min")
    } else if minutes > 0 {
        format!("{left} {minutes} min {rest} s")
    } else {
        format!("{left} {rest} s")
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::Language;
    use super::time_left;
    use std::time::Duration;

    #[test]
    fn the_two_largest_units_are_shown() {
        let check = |millis, expected| {
            let time = Duration::from_millis(millis);
            assert_eq!(time_left(Language::Spanish.words(), time), expected);
        };
        check(0, "Quedan 0 s");
        check(59_999, "Quedan 59 s");
        check(899_000, "Quedan 14 min 59 s");
        check(7_260_000, "Quedan 2 h 1 min");
        check(90_000_000, "Quedan 1 días 1 h");
    }
}
