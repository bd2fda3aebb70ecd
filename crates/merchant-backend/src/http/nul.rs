use crate::http::problem::{Problem, ProblemKind};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;

/// Finds nothing at an address with the character U+0000. PostgreSQL has no text with it, so that
/// nothing of that name is there, and a search for it is an error.
pub(super) async fn refuse(request: Request, next: Next) -> Response {
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

/// True when a text in this value, or the name of a field, has that character.
pub(super) fn is_in(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(is_in),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, value)| name.contains('\0') || is_in(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_in;
    use serde_json::json;

    #[test]
    fn it_is_found_wherever_it_stands() {
        for value in [json!("\0"), json!([["a\0"]]), json!({"a": {"b\0": 1}})] {
            assert!(is_in(&value), "{value}");
        }
        assert!(!is_in(
            &json!({"a": ["\\u0000", 0, null, true, "\u{fffd}"]})
        ));
    }
}
