//! Base64, for data URIs.

/// Base64 with its padding and nothing else in it. Twenty lines instead of a crate, since
/// every byte of the wasm is downloaded by a payer.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() || !text.len().is_multiple_of(4) {
        return None;
    }
    let digits = text.trim_end_matches('=');
    if text.len() - digits.len() > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0_u32, 0);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            let [.., byte] = (bits >> held).to_be_bytes();
            bytes.push(byte);
        }
    }
    Some(bytes)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::decode;
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use proptest::prelude::*;

    pub(crate) fn encode(bytes: &[u8]) -> String {
        BASE64_STANDARD.encode(bytes)
    }

    #[test]
    fn base64_is_read_to_the_letter() {
        for bytes in [&b"a"[..], b"ab", b"abc", b"abcd", &[0xff; 31]] {
            assert_eq!(decode(&encode(bytes)).unwrap(), bytes);
        }
        for wrong in ["", "a", "abc", "ab=c", "====", "a===", "ab\n=", "ab-_"] {
            assert_eq!(decode(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn it_agrees_with_a_kept_reader(text in "[A-Za-z0-9+/=_ -]{0,24}", bytes: Vec<u8>) {
            prop_assert_eq!(decode(&encode(&bytes)).unwrap_or_default(), bytes);
            // Ours takes what the other one takes, and also stray bits behind the last byte.
            if let Ok(expected) = BASE64_STANDARD.decode(&text) && !text.is_empty() {
                prop_assert_eq!(decode(&text), Some(expected));
            }
        }
    }
}
