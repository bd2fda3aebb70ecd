/// No text from outside is longer on the screen, in characters.
const LONGEST: usize = 200;

/// A text from outside as it may stand on the screen: in one piece, of bounded length, and
/// without the characters that turn, hide or break what stands around it.
#[must_use]
pub fn outside(text: &str) -> String {
    let plain = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let mut shown = text
        .trim()
        .chars()
        .filter(plain)
        .take(LONGEST + 1)
        .collect::<String>();
    if shown.chars().count() > LONGEST {
        shown.pop();
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::outside;

    #[test]
    fn texts_from_outside_are_tamed() {
        assert_eq!(
            outside(" <b>Fondos\ninsuficientes</b> "),
            "<b>Fondosinsuficientes</b>"
        );
        assert_eq!(outside("a\u{202e}b\u{200b}c\u{feff}"), "abc");
        assert_eq!(outside(&"ñ".repeat(200)), "ñ".repeat(200));
        assert_eq!(outside(&"ñ".repeat(100_000)).chars().count(), 201);
    }
}
