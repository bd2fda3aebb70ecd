use crate::http::body::field::{Object, wrong};
use crate::http::problem::Problem;
use serde_json::Value;

/// The longest reason, in characters.
const LONGEST: usize = 500;

/// The reason in a body without other fields.
pub(super) fn only_reason(body: &Value) -> Result<String, Problem> {
    let root = Object::body(body)?;
    root.only(&["reason"])?;
    reason(&root)
}

/// The reason for an act of staff; it stays on record.
pub(super) fn reason(root: &Object<'_>) -> Result<String, Problem> {
    let text = root.text("reason").unwrap_or_default().trim();
    let sound = (1..=LONGEST).contains(&text.chars().count())
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
    use crate::http::body::field::Object;
    use serde_json::json;

    #[test]
    fn a_reason_is_a_text_that_says_something() {
        let read = |value: serde_json::Value| {
            let body = json!({"reason": value});
            reason(&Object::body(&body).unwrap()).ok()
        };
        assert_eq!(read(json!(" a\nb ")).as_deref(), Some("a\nb"));
        assert_eq!(read(json!("ñ".repeat(500))), Some("ñ".repeat(500)));
        for odd in [
            json!(""),
            json!(" \n"),
            json!(7),
            json!(null),
            json!("\u{1b}[2J"),
            json!("n".repeat(501)),
        ] {
            assert_eq!(read(odd.clone()), None, "{odd}");
        }
    }
}
