//! Reads the header `Idempotency-Key`.

use super::problem::{Problem, ProblemKind};
use axum::http::{HeaderMap, HeaderName};
use payment_model::{IdempotencyKey, WrongIdempotencyKey};

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
mod tests {
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
