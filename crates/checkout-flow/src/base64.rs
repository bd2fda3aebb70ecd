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

    pub(crate) fn encode(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for group in bytes.chunks(3) {
            let bits = group
                .iter()
                .chain(&[0, 0])
                .take(3)
                .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
            for at in 0..4 {
                let digit = DIGITS[(bits >> (18 - 6 * at) & 63) as usize];
                text.push(if at > group.len() {
                    '='
                } else {
                    char::from(digit)
                });
            }
        }
        text
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
}
