//! Random ids and tokens, and which characters ids of others may have. The bytes are the node's own, and an
//! error says when there are none; the usual generators would panic.

use crate::ambient;
pub(crate) use crate::ambient::NoRandomness;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    ambient::with(|node| node.fill(&mut bytes))?;
    Ok(bytes)
}

/// Generates 128 random bits as 22 characters of base64url.
pub(crate) fn token() -> Result<String, NoRandomness> {
    Ok(URL_SAFE_NO_PAD.encode(bytes::<16>()?))
}

/// Generates 256 random bits as 43 characters of base64url.
pub(crate) fn secret() -> Result<String, NoRandomness> {
    Ok(URL_SAFE_NO_PAD.encode(bytes::<32>()?))
}

/// Crockford's base32: without `I`, `L`, `O` and `U`, which people confuse with other characters.
const CROCKFORD_BASE32: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Generates 100 random bits as 20 capital letters and digits that people can read aloud.
pub(crate) fn readable() -> Result<String, NoRandomness> {
    let bytes = bytes::<20>()?;
    let character = |byte| char::from(CROCKFORD_BASE32[usize::from(byte % 32)]);
    Ok(bytes.into_iter().map(character).collect())
}

/// Generates evenly distributed decimal digits.
pub(crate) fn digits(count: usize) -> Result<String, NoRandomness> {
    let mut text = String::with_capacity(count);
    while text.len() < count {
        // Without the last bytes, every digit comes from 25 values of a byte.
        let fair = bytes::<32>()?.into_iter().filter(|byte| *byte < 250);
        text.extend(
            fair.map(|byte| char::from(b'0' + byte % 10))
                .take(count - text.len()),
        );
    }
    Ok(text)
}

/// Generates a number in `0.0..1.0` for jitter; 0.5 if the system has no random bytes.
pub(crate) fn fraction() -> f64 {
    bytes::<2>().map_or(0.5, |bytes| f64::from(u16::from_be_bytes(bytes)) / 65_536.0)
}

/// Accepts only characters that are safe in an operation number, a merchant's code and an order's
/// id.
pub(crate) fn identifier(text: &str) -> Result<String, &'static str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if (1..=64).contains(&text.len()) && text.bytes().all(plain) {
        Ok(text.to_owned())
    } else {
        Err("must be 1 to 64 letters, digits, `-` and `_`")
    }
}

#[cfg(test)]
mod tests {
    use super::{CROCKFORD_BASE32, digits, readable, token};
    use std::collections::HashSet;

    #[test]
    fn digits_are_as_many_as_asked_for_and_differ() {
        assert_eq!(digits(0).unwrap(), "");
        let (one, two) = (digits(40).unwrap(), digits(40).unwrap());
        assert!(one.len() == 40 && one.bytes().all(|b| b.is_ascii_digit()));
        assert_ne!(one, two);
    }

    #[test]
    fn readable_ones_use_all_of_their_32_characters_and_no_other() {
        let ids: Vec<_> = (0..200).map(|_| readable().unwrap()).collect();
        assert!(ids.iter().all(|id| id.len() == 20));
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        // A character is missing in 4000 random ones with a probability of less than 1e-50.
        let used: HashSet<_> = ids.iter().flat_map(|id| id.bytes()).collect();
        assert_eq!(used, CROCKFORD_BASE32.iter().copied().collect());
    }

    #[test]
    fn tokens_have_128_bits() {
        assert_eq!(token().unwrap().len(), 22);
        assert_ne!(token().unwrap(), token().unwrap());
    }
}
