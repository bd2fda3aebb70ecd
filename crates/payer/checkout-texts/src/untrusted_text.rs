/// The most characters of a foreign text that are shown.
const MAX_CHARS: usize = 200;

/// Makes a text of a shop, a payer or a processor safe to show: trimmed, on one line, at most 200
/// characters, and without control characters and those that reverse, hide or break the text around it.
#[must_use]
pub fn sanitized(text: &str) -> String {
    let plain = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let mut shown = text
        .trim()
        .chars()
        .filter(plain)
        .take(MAX_CHARS + 1)
        .collect::<String>();
    if shown.chars().count() > MAX_CHARS {
        shown.pop();
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::sanitized;

    #[test]
    fn an_untrusted_text_stays_plain_and_short() {
        assert_eq!(
            sanitized(" <b>Fondos\ninsuficientes</b> "),
            "<b>Fondosinsuficientes</b>"
        );
        assert_eq!(sanitized("a\u{202e}b\u{200b}c\u{feff}"), "abc");
        assert_eq!(sanitized(&"ñ".repeat(200)), "ñ".repeat(200));
        assert_eq!(sanitized(&"ñ".repeat(100_000)).chars().count(), 201);
    }
}
