//! `Checkout-Replaces`: the operation that a payer leaves for another method.

use axum::http::{HeaderMap, HeaderName};

const HEADER: HeaderName = HeaderName::from_static("checkout-replaces");

/// The number in the header, in quotes or bare. A value that cannot be read names no operation, so
/// that nothing is cancelled for it.
pub(super) fn replaced_number(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(HEADER)?.to_str().ok()?.trim();
    let quoted = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    Some(quoted.unwrap_or(text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{HEADER, replaced_number};
    use axum::http::{HeaderMap, HeaderValue};

    #[test]
    fn a_number_is_read_in_quotes_or_bare() {
        let read = |bytes: &[u8]| {
            let value = HeaderValue::from_bytes(bytes).unwrap();
            replaced_number(&HeaderMap::from_iter([(HEADER, value)]))
        };
        for (bytes, number) in [
            (&b"\"0123\""[..], Some("0123")),
            (b" 0123 ", Some("0123")),
            (b"\"0123", Some("\"0123")),
            (b"", Some("")),
            (b"01\xff", None),
        ] {
            assert_eq!(read(bytes).as_deref(), number);
        }
        assert_eq!(replaced_number(&HeaderMap::new()), None);
    }
}
