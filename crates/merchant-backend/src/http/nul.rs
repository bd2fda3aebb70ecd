use crate::http::problem::{Problem, ProblemKind};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// Rejects an address with the character U+0000. PostgreSQL cannot store it in a text, so that nothing
/// of that name exists, and a query with it would be an error of the database.
pub(super) async fn reject_nul(request: Request, next: Next) -> Response {
    let address = request.uri();
    if address.path().contains("%00") {
        let detail = "No address here has the character U+0000.";
        return Problem::new(ProblemKind::NotFound, detail).into_response();
    }
    if address.query().is_some_and(|query| query.contains("%00")) {
        let detail = "The query has the character U+0000; send it without.";
        return Problem::new(ProblemKind::BadRequest, detail).into_response();
    }
    next.run(request).await
}

/// True when a text in this JSON, or the name of a field, has that character. JSON has it as an
/// escape only, and the raw character is no JSON.
pub(super) fn contains_nul(json: &[u8]) -> bool {
    let mut rest = json;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        let escape = rest.get(at + 1..).unwrap_or_default();
        if escape.starts_with(b"u0000") {
            return true;
        }
        // An escaped backslash begins no other escape.
        rest = escape.get(1..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::contains_nul;

    #[test]
    fn it_is_found_wherever_it_is() {
        for json in [
            r#""\u0000""#,
            r#"[["a\u0000"]]"#,
            r#"{"a": {"b\u0000": 1}}"#,
            r#""\\\u0000""#,
            r#""\n\u0000""#,
        ] {
            assert!(contains_nul(json.as_bytes()), "{json}");
        }
        for json in [r#"["\\u0000", 0, "u0000", "\u0001", "\ufffd"]"#, "\\", ""] {
            assert!(!contains_nul(json.as_bytes()), "{json}");
        }
    }
}
