use crate::http::body::wrong;
use crate::http::problem::Problem;

/// The longest reason.
const LONGEST_REASON_CHARACTERS: usize = 500;

/// The reason for an act of staff, without blanks around it; it stays on record.
pub(super) fn reason(text: &str) -> Result<String, Problem> {
    let text = text.trim();
    let sound = (1..=LONGEST_REASON_CHARACTERS).contains(&text.chars().count())
        && !text
            .chars()
            .any(|character| character.is_control() && character != '\n');
    if sound {
        Ok(text.to_owned())
    } else {
        Err(wrong("reason", "a text of 1 to 500 characters"))
    }
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn a_reason_is_a_text_that_says_something() {
        let read = |text: &str| reason(text).ok();
        assert_eq!(read(" a\nb ").as_deref(), Some("a\nb"));
        assert_eq!(read(&"ñ".repeat(500)), Some("ñ".repeat(500)));
        for odd in ["", " \n", "\u{1b}[2J", &"n".repeat(501)] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
