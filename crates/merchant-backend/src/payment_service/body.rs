//! Bodies of the payment service: read up to a limit, parsed, and freed of the access token and of control
//! characters.

use super::ServiceError;
use crate::ambient;
use crate::wire::Answered;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use payment_model::{LocalizedMessage, Meta};
use payment_rules::service_answers::{AcceptedCodes, Answer};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

/// The messages of a rejection that are kept for people; the others are dropped.
const MAX_MESSAGES: usize = 5;
const MAX_MESSAGE_CHARS: usize = 300;
/// `Retry-After` may name any time; a longer one is cut.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// Parses an answer. Only a 200 with the expected body and an accepted result is a success.
pub(super) fn read<T: DeserializeOwned + Answer>(
    answered: Answered,
    token: &SecretString,
    accepted: &AcceptedCodes,
) -> Result<T, ServiceError> {
    let (head, body) = answered.into_parts();
    if head.status == StatusCode::OK {
        let answer: T = parse(&body?, token)?;
        if accepted.accept(&answer) {
            return Ok(answer);
        }
        return Err(ServiceError::NotAccepted {
            code: code_of(answer.meta()),
            messages: plain(&answer.meta().status.message_ilgn),
            transaction_id: answer.transaction_id().cloned(),
        });
    }
    let header = head.headers.get(RETRY_AFTER);
    let wait = header.and_then(|wait| wait.to_str().ok());
    let mut error = ServiceError::of_status(head.status.as_u16(), wait.and_then(retry_after));
    if let ServiceError::Refused { messages, .. } = &mut error {
        // The status alone rejects the request, so an unreadable body only costs the messages.
        *messages = body.map_or_else(|_| Vec::new(), |body| messages_of(&body, token));
    }
    Err(error)
}

/// The code of an answer for logs and people; "none" for a text that cannot be a code.
fn code_of(meta: &Meta) -> String {
    let code = meta.status.code.trim();
    let is_code = (1..=16).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric());
    if is_code { code } else { "none" }.to_owned()
}

/// The messages in the body of a rejection. The specification does not show such a body, so they are
/// optional.
fn messages_of(body: &[u8], token: &SecretString) -> Vec<LocalizedMessage> {
    let value: Value = parse(body, token).unwrap_or_default();
    let meta = value.get("meta").cloned().unwrap_or_default();
    plain(
        &Meta::deserialize(meta)
            .unwrap_or_default()
            .status
            .message_ilgn,
    )
}

/// Limits the number and the length of messages, and removes control characters, since people read
/// them.
fn plain(messages: &[LocalizedMessage]) -> Vec<LocalizedMessage> {
    let short = |text: &str, most| -> String {
        let plain = text.chars().filter(|character| !character.is_control());
        plain.take(most).collect()
    };
    let with_text = messages
        .iter()
        .filter(|message| !message.value.trim().is_empty());
    with_text
        .take(MAX_MESSAGES)
        .map(|message| LocalizedMessage {
            locale: short(&message.locale, 16),
            value: short(&message.value, MAX_MESSAGE_CHARS),
        })
        .collect()
}

/// Parses a body. A service may echo its request, so the access token is removed from the result.
fn parse<T: DeserializeOwned>(body: &[u8], token: &SecretString) -> Result<T, ServiceError> {
    let text =
        std::str::from_utf8(body).map_err(|_| ServiceError::Unreadable("not UTF-8".to_owned()))?;
    // The token can be present in an escaped form, since many programs write `/` as `\/`; U+0000 is
    // always escaped. Only these bodies need the slower way.
    let read = if text.contains(token.expose_secret()) || text.contains('\\') {
        serde_json::from_str(text)
            .and_then(|value| serde_json::from_value(storable(token.expose_secret(), value)))
    } else {
        serde_json::from_str(text)
    };
    // The parser's message can quote the body, so only the position and the category are kept.
    read.map_err(|error| {
        let (line, column) = (error.line(), error.column());
        ServiceError::Unreadable(format!("{:?} at {line}:{column}", error.classify()))
    })
}

/// Removes the token, and U+0000, from all texts and field names. PostgreSQL cannot store U+0000, and
/// an answer that cannot be stored would leave its payment in doubt for ever. The recursion is safe:
/// the parser limits the depth.
fn storable(token: &str, value: Value) -> Value {
    let plain = |text: &str| text.replace(token, "…").replace('\0', "\u{fffd}");
    match value {
        Value::String(text) => Value::String(plain(&text)),
        Value::Array(values) => values
            .into_iter()
            .map(|value| storable(token, value))
            .collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (plain(&name), storable(token, value)))
            .collect(),
        other => other,
    }
}

/// Reads `Retry-After`, which has seconds or a date.
fn retry_after(text: &str) -> Option<Duration> {
    let text = text.trim();
    let wait = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let date = httpdate::parse_http_date(text).ok()?;
            date.duration_since(ambient::with(|node| node.wall()))
                .unwrap_or_default()
        }
    };
    Some(wait.min(MAX_RETRY_AFTER))
}

/// Ten times the size of the largest expected answer, which contains the image of a QR code.
const MAX_ANSWER_BYTES: usize = 2 * 1024 * 1024;
/// A rejection is read only for its messages.
const MAX_REJECTION_BYTES: usize = 64 * 1024;

/// How much of a body is read. The bodies of other statuses than 200 and 4xx are never used, so they are
/// not read.
pub(super) fn limit(status: StatusCode) -> usize {
    match status.as_u16() {
        200 => MAX_ANSWER_BYTES,
        400..=499 => MAX_REJECTION_BYTES,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_MESSAGE_CHARS, MAX_MESSAGES, messages_of, parse, retry_after};
    use crate::payment_service::ServiceError;
    use secrecy::SecretString;
    use serde_json::Value;
    use std::time::Duration;

    #[test]
    fn no_escape_hides_the_token() {
        let token = SecretString::from("can/ary");
        for body in [
            r#"{"a":["Bearer can\/ary"]}"#,
            r#"{"a":{"can\/ary":1}}"#,
            r#"{"a":"\u0063an/ary"}"#,
            r#"{"a":"\"can/ary"}"#,
        ] {
            let value: Value = parse(body.as_bytes(), &token).unwrap();
            assert!(!value.to_string().contains("can/ary"), "{body}");
        }
        let other: Value = parse(br#"{"a":"1\n\u00f1"}"#, &token).unwrap();
        assert_eq!(other["a"], "1\n\u{f1}");
    }

    #[test]
    fn no_text_of_an_answer_has_what_cannot_be_stored() {
        let token = SecretString::from("canary");
        let body = br#"{"id\u0000":["1\u0000", "\\u0000"]}"#;
        let value: Value = parse(body, &token).unwrap();
        let expected = serde_json::json!({"id\u{fffd}": ["1\u{fffd}", "\\u0000"]});
        assert_eq!(value, expected);
    }

    #[test]
    fn the_token_does_not_come_back() {
        let token = SecretString::from("canary");
        let value: Value = parse(br#"{"a":"Bearer canary","canary":1}"#, &token).unwrap();
        assert!(!value.to_string().contains("canary"));
        let error = parse::<u8>(br#""canary""#, &token).unwrap_err();
        assert!(matches!(&error, ServiceError::Unreadable(why) if !why.contains("canary")));
        assert!(parse::<Value>(b"\xff", &token).is_err());
        assert!(parse::<Value>("[".repeat(10_000).as_bytes(), &token).is_err());
    }

    #[test]
    fn the_messages_of_a_refusal_are_few_short_and_without_the_token() {
        let token = SecretString::from("canary");
        let message = |value: &str| serde_json::json!({"locale": "es_PE", "value": value});
        let body = |messages: Value| {
            let meta = serde_json::json!({"status": {"code": "40", "message_ilgn": messages}});
            serde_json::json!({"meta": meta}).to_string()
        };
        let told = body(serde_json::json!([
            message("No\u{1b} canary"),
            message(" ")
        ]));
        let told = messages_of(told.as_bytes(), &token);
        assert_eq!((told.len(), told[0].value.as_str()), (1, "No …"));
        let many = body(vec![message(&"ñ".repeat(5000)); 50].into());
        let many = messages_of(many.as_bytes(), &token);
        assert_eq!(many.len(), MAX_MESSAGES);
        assert_eq!(many[0].value.chars().count(), MAX_MESSAGE_CHARS);
        for odd in [
            "",
            "<html>",
            "[]",
            r#"{"meta":7}"#,
            r#"{"meta":{"status":{"message_ilgn":7}}}"#,
        ] {
            assert!(messages_of(odd.as_bytes(), &token).is_empty(), "{odd}");
        }
    }

    #[test]
    fn retry_after_is_read_in_seconds_or_as_a_date() {
        let seconds = |text: &str| retry_after(text).map(|wait| wait.as_secs());
        assert_eq!(seconds("7"), Some(7));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(0));
        assert_eq!(seconds("999999999"), Some(86_400));
        assert_eq!(seconds("soon"), None);
        let date = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(60));
        assert!((58..=60).contains(&seconds(&date).unwrap()));
    }
}
