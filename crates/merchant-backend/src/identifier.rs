//! Names that are safe in addresses, in files and at the payment service.

/// Accepts only characters that are safe in an operation number, a merchant's code and an order's
/// id.
pub(crate) fn identifier(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if text.len() <= 64 && text.bytes().all(plain) {
        Ok(text.to_owned())
    } else {
        Err("must be at most 64 letters, digits, `-` and `_`".to_owned())
    }
}
