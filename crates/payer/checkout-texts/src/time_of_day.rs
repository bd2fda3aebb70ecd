/// A time as `Intl` writes it, with its time of day in one piece, "1:50 p.m.": a screen reader that reads sentence
/// by sentence takes the space in "p. m." for the end of one.
#[must_use]
pub fn unbroken(time: String) -> String {
    let plain = time.replace(['\u{a0}', '\u{202f}'], " ");
    let halves = [(" a. m.", "\u{a0}a.m."), (" p. m.", "\u{a0}p.m.")];
    let half = halves.into_iter().find(|(half, _)| plain.contains(half));
    half.map_or(time, |(half, unbroken)| plain.replace(half, unbroken))
}

#[cfg(test)]
mod tests {
    use super::unbroken;

    #[test]
    fn a_time_of_day_stays_in_its_line_and_its_sentence() {
        for (time, expected) in [
            (
                "26 de noviembre, 1:50 p. m.",
                "26 de noviembre, 1:50\u{a0}p.m.",
            ),
            ("1:50\u{202f}a.\u{a0}m.", "1:50\u{a0}a.m."),
            (
                "21 nov 2026, 1:50:08\u{a0}p.\u{a0}m.",
                "21 nov 2026, 1:50:08\u{a0}p.m.",
            ),
            ("1:50\u{202f}PM", "1:50\u{202f}PM"),
        ] {
            assert_eq!(unbroken(time.to_owned()), expected);
        }
    }
}
