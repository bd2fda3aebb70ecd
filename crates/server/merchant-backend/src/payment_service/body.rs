//! Bodies of the payment service: read up to a limit, parsed, and freed of the access token and of control
//! characters.

use super::ServiceError;
use crate::ambient;
use crate::json_value::{ReadValue, ValueRules};
use crate::wire::Answered;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use payment_model::{LocalizedMessage, Meta};
use payment_rules::service_answers::{AcceptedCodes, Answer};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::{DeserializeOwned, DeserializeSeed};
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

/// Parses a body. A byte order mark is skipped, and bytes that are no UTF-8 are replaced, so that a spoilt message
/// does not make the whole answer unreadable.
fn parse<T: DeserializeOwned>(body: &[u8], token: &SecretString) -> Result<T, ServiceError> {
    let text = String::from_utf8_lossy(body);
    let mut parser = serde_json::Deserializer::from_str(text.trim_start_matches('\u{feff}'));
    let token = token.expose_secret();
    let value = ReadValue(Cleaned { token })
        .deserialize(&mut parser)
        .and_then(|value| parser.end().map(|()| value));
    // The parser's messages can quote the body, so only the place is kept.
    let value = value.map_err(|error| {
        let (line, column) = (error.line(), error.column());
        ServiceError::Unreadable(format!("{:?} at {line}:{column}", error.classify()))
    })?;
    serde_path_to_error::deserialize(value)
        .map_err(|error| ServiceError::Unreadable(error.path().to_string()))
}

/// Removes what must not be kept. The access token is removed, since a service may echo its request. So is U+0000:
/// PostgreSQL cannot store it, and an answer that cannot be stored would leave its payment in doubt for ever.
#[derive(Clone, Copy)]
struct Cleaned<'a> {
    token: &'a str,
}

impl ValueRules for Cleaned<'_> {
    fn text(self, text: &str) -> String {
        text.replace(self.token, "…").replace('\0', "\u{fffd}")
    }

    /// Nobody knows which of the values counts: no member that decides can be read in this form, and any other one
    /// may have it.
    fn differing<E>(self, _: &str) -> Result<Value, E> {
        Ok(Value::Array(vec![Value::Array(Vec::new())]))
    }

    fn repeated<E>(self, _: &str, value: Value) -> Result<Value, E> {
        Ok(value)
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
    use payment_model::QueryResponse;
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
        assert!(parse::<Value>("[".repeat(10_000).as_bytes(), &token).is_err());
    }

    #[test]
    fn a_byte_order_mark_and_spoilt_bytes_make_no_answer_unreadable() {
        let token = SecretString::from("canary");
        let marked = [b"\xef\xbb\xbf".as_slice(), br#"{"a":"1"}"#].concat();
        assert_eq!(parse::<Value>(&marked, &token).unwrap()["a"], "1");
        let spoilt = parse::<Value>(b"{\"a\":\"M\xe9todo\",\"b\":1}", &token).unwrap();
        assert_eq!(spoilt, serde_json::json!({"a": "M\u{fffd}todo", "b": 1}));
        assert!(parse::<Value>(br#"{"a":1} {"#, &token).is_err());
    }

    #[test]
    fn a_repeated_member_counts_only_if_its_values_agree() {
        let token = SecretString::from("canary");
        let answer = |members: &str| {
            let body = format!(
                r#"{{"success":true,"merchant_code":"1","meta":{{"status":{{"code":"00"}}}},
                    "operation":{{"merchant_operation_number":"2","amount":"1","currency":"604",
                    "transactions":[{{"transaction_id":"3","amount":"1","currency":"604",
                    "lifecycle":[],"state":"CANCELADO"{members}}}]}}}}"#
            );
            parse::<QueryResponse>(body.as_bytes(), &token)
        };
        let whole = answer("").unwrap();
        for (members, is_same) in [
            (r#","state":"CANCELADO","amount":"1","lifecycle":[]"#, true),
            (r#","state_reason":"a","state_reason":"b""#, true),
            (r#","amount":"2","amount":"1""#, false),
            (r#","state":"AUTORIZADO","state":"CANCELADO""#, false),
            (r#","transaction_id":"4""#, false),
            (
                r#","lifecycle":[{"state":"AUTORIZADO"}],"lifecycle":[]"#,
                false,
            ),
        ] {
            let read = answer(members);
            assert_eq!(read.as_ref() == Ok(&whole), is_same, "{members}: {read:?}");
        }
        let error = answer(r#","amount":"2""#).unwrap_err();
        let place = ServiceError::Unreadable("operation.transactions[0].amount".to_owned());
        assert_eq!(error, place);
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
