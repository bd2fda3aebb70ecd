//! The `Idempotency-Key` of an attempt.
//!
//! A reader of structured fields, such as the crate `sfv`, refuses most of the bare keys that
//! clients send, and takes parameters after a key.

use axum::http::{HeaderMap, HeaderName};

/// The header's name.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

const LONGEST: usize = 255;

/// Why there is no usable key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeyRefusal {
    #[error(
        "the header `Idempotency-Key` is missing: send one key for each attempt, and the same one when repeating it"
    )]
    Missing,
    #[error("the header `Idempotency-Key` came more than once")]
    Twice,
    #[error("the header `Idempotency-Key` is empty")]
    Empty,
    #[error("the header `Idempotency-Key` is longer than 255 characters")]
    TooLong,
    #[error("the header `Idempotency-Key` must be a quoted string of printable ASCII characters")]
    Malformed,
}

/// The key of a request: a quoted string, as in the draft standard, or a bare one.
pub(crate) fn key_of(headers: &HeaderMap) -> Result<String, KeyRefusal> {
    let mut values = headers.get_all(HEADER).iter();
    let value = values.next().ok_or(KeyRefusal::Missing)?;
    if values.next().is_some() {
        return Err(KeyRefusal::Twice);
    }
    // A header value with anything but visible ASCII (tabs, other bytes) has no text.
    let text = value
        .to_str()
        .map_err(|_| KeyRefusal::Malformed)?
        .trim_matches(' ');
    if text.bytes().any(|byte| !(b' '..=b'~').contains(&byte)) {
        return Err(KeyRefusal::Malformed);
    }
    let key = match text.strip_prefix('"') {
        Some(rest) => unquoted(rest)?,
        None if text.contains('"') => return Err(KeyRefusal::Malformed),
        None => text.to_owned(),
    };
    match key.len() {
        0 => Err(KeyRefusal::Empty),
        1..=LONGEST => Ok(key),
        _ => Err(KeyRefusal::TooLong),
    }
}

/// The content of a quoted string after its first quote; `\"` and `\\` are its only escapes.
fn unquoted(rest: &str) -> Result<String, KeyRefusal> {
    let mut key = String::with_capacity(rest.len());
    let mut characters = rest.chars();
    loop {
        match characters.next() {
            Some('"') if characters.as_str().is_empty() => return Ok(key),
            None | Some('"') => return Err(KeyRefusal::Malformed),
            Some('\\') => match characters.next() {
                Some(escaped @ ('"' | '\\')) => key.push(escaped),
                _ => return Err(KeyRefusal::Malformed),
            },
            Some(other) => key.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KeyRefusal::{self, Empty, Malformed, Missing, TooLong, Twice};
    use super::{HEADER, key_of};
    use axum::http::{HeaderMap, HeaderValue};

    fn key(values: &[&[u8]]) -> Result<String, KeyRefusal> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HEADER, HeaderValue::from_bytes(value).unwrap());
        }
        key_of(&headers)
    }

    #[test]
    fn quoted_and_bare_keys_are_the_same_key() {
        let check = |text: &str, expected: Result<&str, KeyRefusal>| {
            assert_eq!(
                key(&[text.as_bytes()]),
                expected.map(str::to_owned),
                "{text}"
            );
        };
        check("\"8e03978e-40d5\"", Ok("8e03978e-40d5"));
        check("8e03978e-40d5", Ok("8e03978e-40d5"));
        check(r#""a\"b\\c""#, Ok(r#"a"b\c"#));
        check(&"k".repeat(255), Ok(&"k".repeat(255)));
        check(&"k".repeat(256), Err(TooLong));
        check("", Err(Empty));
        check("\"\"", Err(Empty));
        check("\"", Err(Malformed));
        check("\"open", Err(Malformed));
        check("\"a\" \"b\"", Err(Malformed));
        check("a\"b", Err(Malformed));
        check(r#""a\n""#, Err(Malformed));
        check("a\tb", Err(Malformed));
        check("ñ", Err(Malformed));
    }

    #[test]
    fn exactly_one_key_is_wanted() {
        assert_eq!(key(&[]), Err(Missing));
        assert_eq!(key(&[b"a", b"a"]), Err(Twice));
        assert_eq!(key(&[b"a\xff"]), Err(Malformed));
    }
}
