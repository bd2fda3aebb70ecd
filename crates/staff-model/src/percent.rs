/// A segment of a path that stays a single one: `.` and `..` would be resolved even
/// percent-encoded, and an empty one would be lost.
pub(crate) fn segment(text: &str) -> String {
    if matches!(text, "" | "." | "..") {
        return "%20".to_owned();
    }
    percent(text)
}

/// A text that ends nothing where it stands in an address.
pub(crate) fn percent(text: &str) -> String {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
    encoded
}
