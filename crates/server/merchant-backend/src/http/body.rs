//! Reads the bodies of requests with serde, strictly, and the header with the idempotency key.
//!
//! Bodies are derived types with `deny_unknown_fields`: to ignore a field would hide a mistake, or an
//! attempt to set what only the server may set. Every refusal names the wrong field and repeats no
//! value.

use super::problem::{Problem, ProblemKind};
use crate::shop_orders::WrongFact;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderName};
use payment_model::{IdempotencyKey, WrongIdempotencyKey};
use payment_rules::order::MAX_AMOUNT_CENTS;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

#[cfg(test)]
mod tests;

/// A body that is a JSON object with the fields of a struct. Any other body is a problem, which names
/// the wrong field.
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
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            let detail = "Send the body as JSON, with the header `Content-Type: application/json`.";
            return Err(Problem::new(ProblemKind::MediaType, detail));
        }
        // The body is here already; see `doors`.
        let bytes = Bytes::from_request(request, state).await;
        let not_whole = |_| Problem::bad_request("The body did not arrive whole.");
        read_json(&bytes.map_err(not_whole)?).map(Self)
    }
}

/// Reads an object and nothing after it.
fn read_json<T: DeserializeOwned>(text: &[u8]) -> Result<T, Problem> {
    if text.iter().all(u8::is_ascii_whitespace) {
        let detail = "The body is empty; send a JSON object.";
        return Err(Problem::new(ProblemKind::BadRequest, detail));
    }
    if contains_nul(text) {
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

/// True when a text in this JSON, or the name of a field, has the character U+0000. Only its escape is
/// valid JSON.
fn contains_nul(json: &[u8]) -> bool {
    let mut rest = json;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        let escape = rest.get(at + 1..).unwrap_or_default();
        if escape.starts_with(b"u0000") {
            return true;
        }
        // An escaped backslash begins no further escape.
        rest = escape.get(1..).unwrap_or_default();
    }
    false
}

/// A JSON object with the fields of a struct. The `Deserialize` that serde derives would also accept a
/// list, with the fields in the order of the source.
#[derive(Debug, Serialize)]
pub struct ByName<T>(
    /// The struct.
    pub T,
);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByName<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_map(ObjectVisitor(PhantomData)).map(Self)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields))
    }
}

/// A text that is not empty and has no character U+0000, which PostgreSQL cannot look up. A form may have one; the
/// reader of JSON refuses it before.
#[derive(Debug, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Text(String);

impl TryFrom<String> for Text {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.is_empty() || text.contains('\0') {
            return Err("an empty text, or one with U+0000");
        }
        Ok(Self(text))
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// A whole number of cents, at least 1: a number, or a text of digits. A fraction is most likely an
/// amount in the main unit of the currency, and is refused.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "NumberOrText")]
pub(super) struct WholeCents(u64);

impl WholeCents {
    pub(super) fn get(self) -> u64 {
        self.0
    }
}

/// A whole number of cents like [`WholeCents`], or the word `all`. Serializers write a missing variable as null: who gives
/// money back must name how much.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "NumberOrText")]
pub(super) struct CentsOrAll(Option<u64>);

impl CentsOrAll {
    /// The cents; `None` for all.
    pub(super) fn cents(self) -> Option<u64> {
        self.0
    }
}

impl TryFrom<NumberOrText> for CentsOrAll {
    type Error = &'static str;

    fn try_from(given: NumberOrText) -> Result<Self, Self::Error> {
        match given {
            NumberOrText::Text(text) if text == "all" => Ok(Self(None)),
            given => WholeCents::try_from(given).map(|cents| Self(Some(cents.get()))),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(u64),
    Text(String),
}

impl TryFrom<NumberOrText> for WholeCents {
    type Error = &'static str;

    fn try_from(given: NumberOrText) -> Result<Self, Self::Error> {
        let cents = match given {
            NumberOrText::Number(cents) => Some(cents),
            NumberOrText::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                text.parse().ok()
            }
            NumberOrText::Text(_) => None,
        };
        let sound = cents.filter(|cents| (1..=MAX_AMOUNT_CENTS).contains(cents));
        sound.map(Self).ok_or("no whole number of cents")
    }
}

/// The longest name of a field in a problem, since a client may send a name of any length.
const LONGEST_NAME_CHARACTERS: usize = 100;

/// The problem of a body that is not of its type. It takes only the path and the kind of the fault from
/// the parser's error, whose message may quote a value, such as a name or a password.
fn unread(error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let (path, error) = (error.path(), error.inner());
    if !error.is_data() {
        return not_json(error);
    }
    let path = match path.iter().next() {
        Some(_) => path.to_string(),
        None => String::new(),
    };
    let message = error.to_string();
    let mut parts = message.split('`');
    match (parts.next(), parts.next()) {
        (Some("unknown field "), _) => not_allowed(&path),
        // The path has no part for the field here. The name is of the type, not from the body.
        (Some("missing field "), Some(name)) => missing(&inside(&path, name)),
        (Some("duplicate field "), Some(name)) => repeated(&inside(&path, name)),
        _ if path.is_empty() => {
            let detail = "The body must be a JSON object in the form that this address takes.";
            Problem::new(ProblemKind::BadRequest, detail)
        }
        _ => refused(ProblemKind::BadRequest, &path, "has a wrong type or form"),
    }
}

fn inside(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// The problem of a text that is not JSON.
fn not_json(error: &serde_json::Error) -> Problem {
    let (line, column) = (error.line(), error.column());
    let detail = format!("The body is not valid JSON at line {line}, column {column}.");
    Problem::new(ProblemKind::BadRequest, detail)
}

/// The problem of a field that is missing.
pub(super) fn missing(field: &str) -> Problem {
    refused(ProblemKind::BadRequest, field, "is missing")
}

/// The problem of a field that came more than once, since its value is not clear.
fn repeated(field: &str) -> Problem {
    let why = "came more than once; send it once";
    refused(ProblemKind::BadRequest, field, why)
}

/// The problem of a field that may not be sent.
pub(super) fn not_allowed(field: &str) -> Problem {
    refused(ProblemKind::FieldNotAllowed, field, "is not allowed here")
}

/// The problem of a field whose value breaks a rule that its type does not have.
pub(super) fn wrong(field: &str, expected: &str) -> Problem {
    refused(
        ProblemKind::BadRequest,
        field,
        &format!("must be {expected}"),
    )
}

/// The problem of a fact of an order.
pub(super) fn wrong_fact(wrong: &WrongFact) -> Problem {
    let detail = format!("The field `{}` {}.", wrong.fact, wrong.why);
    Problem::bad_request(detail).with("field", wrong.fact.as_str())
}

/// The problem of a query, which the text explains.
pub(super) fn wrong_query(why: &'static str) -> Problem {
    Problem::bad_request(format!("The query cannot be read: {why}."))
}

fn refused(kind: ProblemKind, field: &str, why: &str) -> Problem {
    let field: String = field.chars().take(LONGEST_NAME_CHARACTERS).collect();
    Problem::new(kind, format!("The field `{field}` {why}.")).with("field", field)
}

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

/// Why there is no usable key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum KeyRefusal {
    #[error(
        "the header `Idempotency-Key` is missing: send one key for each attempt, and the same one when repeating it"
    )]
    Missing,
    #[error("the header `Idempotency-Key` came more than once")]
    Twice,
    #[error("the header `Idempotency-Key` {0}")]
    Wrong(#[from] WrongIdempotencyKey),
}

/// The idempotency key of a request.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<IdempotencyKey, Problem> {
    read(headers)
        .map_err(|refusal| Problem::new(ProblemKind::IdempotencyKey, format!("{refusal}.")))
}

fn read(headers: &HeaderMap) -> Result<IdempotencyKey, KeyRefusal> {
    let mut values = headers.get_all(HEADER).iter();
    let value = values.next().ok_or(KeyRefusal::Missing)?;
    if values.next().is_some() {
        return Err(KeyRefusal::Twice);
    }
    // A value with other bytes than visible ASCII has no text.
    let text = value.to_str().map_err(|_| WrongIdempotencyKey::Malformed)?;
    Ok(IdempotencyKey::from_header(text)?)
}

#[cfg(test)]
mod idempotency_key_tests {
    use super::KeyRefusal::{Missing, Twice, Wrong};
    use super::{HEADER, KeyRefusal, read};
    use axum::http::{HeaderMap, HeaderValue};
    use payment_model::WrongIdempotencyKey::{Empty, Malformed};

    fn key(values: &[&[u8]]) -> Result<String, KeyRefusal> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HEADER, HeaderValue::from_bytes(value).unwrap());
        }
        read(&headers).map(|key| key.as_str().to_owned())
    }

    #[test]
    fn exactly_one_key_is_wanted() {
        assert_eq!(key(&[b"\"a\""]), Ok("a".to_owned()));
        assert_eq!(key(&[]), Err(Missing));
        assert_eq!(key(&[b"a", b"a"]), Err(Twice));
        assert_eq!(key(&[b""]), Err(Wrong(Empty)));
        assert_eq!(key(&[b"a\xff"]), Err(Wrong(Malformed)));
        assert_eq!(key(&[b"a\tb"]), Err(Wrong(Malformed)));
    }
}
