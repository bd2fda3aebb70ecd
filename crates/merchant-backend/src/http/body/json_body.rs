use super::by_name::ByName;
use super::refusal::{not_json, unread};
use crate::http::merchant_routes::orders::Orders;
use crate::http::nul;
use crate::http::problem::{Problem, ProblemKind};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRef, FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

/// A body: a JSON object with the fields of a struct. Any other body is a problem, which names the
/// wrong field.
///
/// Derive `Deserialize` with `deny_unknown_fields` for the struct. A field that comes twice is a
/// problem too, since another parser might take the other one; only within a part of any shape, such
/// as a [`serde_json::Value`], the last one counts.
pub struct JsonBody<T>(
    /// The struct.
    pub T,
);

impl<S, T> FromRequest<S> for JsonBody<T>
where
    Orders: FromRef<S>,
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            let detail = "Send the body as JSON, with the header `Content-Type: application/json`.";
            return Err(Problem::new(ProblemKind::MediaType, detail));
        }
        let read = Bytes::from_request(request, state);
        let limit = Orders::from_ref(state).config().timing.body_timeout;
        let bytes = tokio::time::timeout(limit, read).await.map_err(|_| {
            Problem::new(
                ProblemKind::BodyTimeout,
                "The body did not arrive in time; send it again.",
            )
        })?;
        read_json(&bytes.map_err(|rejection| not_whole(&rejection))?).map(Self)
    }
}

/// Reads an object and nothing after it.
fn read_json<T: DeserializeOwned>(text: &[u8]) -> Result<T, Problem> {
    if text.iter().all(u8::is_ascii_whitespace) {
        let detail = "The body is empty; send a JSON object.";
        return Err(Problem::new(ProblemKind::BadRequest, detail));
    }
    if nul::contains_nul(text) {
        let detail = "A text of the body has the character U+0000; send it without.";
        return Err(Problem::new(ProblemKind::BadRequest, detail));
    }
    let mut json = serde_json::Deserializer::from_slice(text);
    let ByName(body) =
        serde_path_to_error::deserialize(&mut json).map_err(|error| unread(&error))?;
    json.end().map_err(|error| not_json(&error))?;
    Ok(body)
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let essence = value
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

fn not_whole(rejection: &BytesRejection) -> Problem {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let detail = "The body is larger than 64 KiB.";
        return Problem::new(ProblemKind::BodyTooLarge, detail);
    }
    Problem::new(ProblemKind::BadRequest, "The body did not arrive whole.")
}

#[cfg(test)]
mod tests {
    use super::super::text::Text;
    use super::{ByName, read_json};
    use crate::http::problem::Problem;
    use serde::Deserialize;
    use serde_json::Value;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the reading is tested")]
    struct Outer {
        name: Text,
        label: Option<Text>,
        #[serde(default)]
        items: Vec<ByName<Inner>>,
        any: Option<Value>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the reading is tested")]
    struct Inner {
        amount: u32,
    }

    fn read(text: &str) -> Result<Outer, Problem> {
        read_json(text.as_bytes())
    }

    #[test]
    fn a_refusal_names_the_field_and_what_is_wrong_with_it_but_no_value() {
        for (text, field, word) in [
            ("{}", "name", "missing"),
            (r#"{"name":null}"#, "name", "type"),
            (r#"{"name":""}"#, "name", "type"),
            (r#"{"name":"a","label":""}"#, "label", "type"),
            (r#"{"name":{"canary":1}}"#, "name", "type"),
            (r#"{"name":"a","canary":1}"#, "canary", "allowed"),
            (r#"{"name":"canary","name":"a"}"#, "name", "once"),
            (r#"{"name":"canary","\u006eame":"a"}"#, "name", "once"),
            (r#"{"name":"a","items":"canary"}"#, "items", "type"),
            (r#"{"name":"a","items":[7]}"#, "items[0]", "type"),
            (r#"{"name":"a","items":[[7]]}"#, "items[0]", "type"),
            (r#"{"name":"a","items":[{}]}"#, "items[0].amount", "missing"),
            (
                r#"{"name":"a","items":[{"amount":1},{"amount":"canary"}]}"#,
                "items[1].amount",
                "type",
            ),
            (
                r#"{"name":"a","items":[{"amount":-1}]}"#,
                "items[0].amount",
                "type",
            ),
            (
                r#"{"name":"a","items":[{"amount":1,"tax":1}]}"#,
                "items[0].tax",
                "allowed",
            ),
            (
                r#"{"name":"a","items":[{"amount":1,"amount":2}]}"#,
                "items[0].amount",
                "once",
            ),
        ] {
            let body = read(text).unwrap_err().body();
            assert_eq!(body["field"], field, "{text}");
            let kind = match word {
                "allowed" => "urn:payment-checkout:problem:field-not-allowed",
                _ => "urn:payment-checkout:problem:bad-request",
            };
            assert_eq!(body["type"], kind, "{text}");
            let detail = body["detail"].as_str().unwrap();
            assert!(detail.contains(&format!("`{field}`")), "{text}: {detail}");
            assert!(detail.contains(word), "{text}: {detail}");
            assert!(field == "canary" || !body.to_string().contains("canary"));
        }
    }

    #[test]
    fn what_is_no_object_is_refused_and_a_value_of_it_is_not_repeated() {
        let deep = format!(r#"{{"name":"a","any":{}"#, "[".repeat(10_000));
        for (text, said) in [
            ("", "empty"),
            (" \n", "empty"),
            ("[]", "must be a JSON object"),
            (r#"["canary"]"#, "must be a JSON object"),
            ("null", "must be a JSON object"),
            (r#""canary""#, "must be a JSON object"),
            ("{\n\"canary", "JSON at line 2, column 7"),
            (r#"{"name":"canary"} x"#, "JSON at line 1, column 19"),
            (r#"{"name":"canary",}"#, "JSON at line 1, column 18"),
            (r#"{"name":"a","any":1e999}"#, "JSON at line 1"),
            (&deep, "JSON at line 1"),
            (r#"{"name":"canary\u0000"}"#, "U+0000"),
        ] {
            let body = read(text).unwrap_err().body();
            let detail = body["detail"].as_str().unwrap();
            assert!(detail.contains(said), "{text:.20}: {detail}");
            assert_eq!(body.get("field"), None, "{text:.20}");
            assert!(!body.to_string().contains("canary"), "{text:.20}");
        }
    }

    #[test]
    fn a_name_from_outside_is_cut() {
        let text = format!(r#"{{"{}":1}}"#, "x".repeat(9_000));
        let body = read(&text).unwrap_err().body();
        assert_eq!(body["field"], "x".repeat(100));
    }

    #[test]
    fn within_a_part_of_any_shape_the_last_one_of_a_name_counts() {
        let body = read(r#"{"name":"a","label":null,"any":{"b":1,"b":2}}"#).unwrap();
        assert_eq!(body.any, Some(serde_json::json!({"b": 2})));
    }
}
