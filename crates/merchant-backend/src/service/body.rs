use super::ServiceError;
use crate::secret::Secret;
use reqwest::Response;
use reqwest::header::RETRY_AFTER;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::{Duration, SystemTime};

/// The largest answer that is read; a code's image is a tenth of it.
const LARGEST: usize = 2 * 1024 * 1024;

/// Reads an answer: a 200 with the expected body, or what is wrong with it.
pub(super) async fn read<T: DeserializeOwned>(
    mut response: Response,
    token: &Secret,
) -> Result<T, ServiceError> {
    let status = response.status().as_u16();
    if status != 200 {
        return Err(ServiceError::of_status(status, patience(&response)));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failure(&error))? {
        if body.len() + chunk.len() > LARGEST {
            return Err(ServiceError::Unreadable("too large".to_owned()));
        }
        body.extend_from_slice(&chunk);
    }
    parse(&body, token)
}

/// A body may repeat what it was sent; the token must go no further.
fn parse<T: DeserializeOwned>(body: &[u8], token: &Secret) -> Result<T, ServiceError> {
    let text =
        std::str::from_utf8(body).map_err(|_| ServiceError::Unreadable("not UTF-8".to_owned()))?;
    // An escape can hide the token from a look at the text: many programs write `/` as `\/`.
    let read = if text.contains(token.expose()) || text.contains('\\') {
        serde_json::from_str(text)
            .and_then(|value| serde_json::from_value(without(token.expose(), value)))
    } else {
        serde_json::from_str(text)
    };
    // The parser's message can quote the body; its place and kind are enough.
    read.map_err(|error| {
        let (line, column) = (error.line(), error.column());
        ServiceError::Unreadable(format!("{:?} at {line}:{column}", error.classify()))
    })
}

/// The value without the token in any text or name; the parser limits how deep this goes.
fn without(token: &str, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace(token, "…")),
        Value::Array(values) => values
            .into_iter()
            .map(|value| without(token, value))
            .collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (name.replace(token, "…"), without(token, value)))
            .collect(),
        other => other,
    }
}

/// What went wrong on the way, without the address.
pub(super) fn failure(error: &reqwest::Error) -> ServiceError {
    if error.is_timeout() {
        ServiceError::Timeout
    } else {
        ServiceError::Connection
    }
}

fn patience(response: &Response) -> Option<Duration> {
    retry_after(response.headers().get(RETRY_AFTER)?.to_str().ok()?)
}

/// `Retry-After` in seconds or as a date; a day at the most.
fn retry_after(text: &str) -> Option<Duration> {
    let text = text.trim();
    let wait = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let date = httpdate::parse_http_date(text).ok()?;
            date.duration_since(SystemTime::now()).unwrap_or_default()
        }
    };
    Some(wait.min(Duration::from_secs(86_400)))
}

#[cfg(test)]
mod tests {
    use super::{parse, retry_after};
    use crate::secret::Secret;
    use crate::service::ServiceError;
    use serde_json::Value;
    use std::time::Duration;

    #[test]
    fn no_escape_hides_the_token() {
        let token = Secret::new("can/ary");
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
    fn the_token_does_not_come_back() {
        let token = Secret::new("canary");
        let value: Value = parse(br#"{"a":"Bearer canary","canary":1}"#, &token).unwrap();
        assert!(!value.to_string().contains("canary"));
        let error = parse::<u8>(br#""canary""#, &token).unwrap_err();
        assert!(matches!(&error, ServiceError::Unreadable(why) if !why.contains("canary")));
        assert!(parse::<Value>(b"\xff", &token).is_err());
        assert!(parse::<Value>("[".repeat(10_000).as_bytes(), &token).is_err());
    }

    #[test]
    fn patience_is_read_in_seconds_or_as_a_date() {
        let seconds = |text: &str| retry_after(text).map(|wait| wait.as_secs());
        assert_eq!(seconds("7"), Some(7));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(0));
        assert_eq!(seconds("999999999"), Some(86_400));
        assert_eq!(seconds("soon"), None);
        let date = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(60));
        assert!((58..=60).contains(&seconds(&date).unwrap()));
    }
}
