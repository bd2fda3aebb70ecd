//! Random values. `ring` is here for TLS, and says so when the system has no random bytes; the usual
//! generators would panic.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom, SystemRandom};

/// The operating system gave no random bytes; no id or token may be made then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gave no random bytes")]
pub(crate) struct NoRandomness;

fn bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| NoRandomness)?;
    Ok(bytes)
}

/// 128 random bits as 22 characters that need no encoding in an address.
pub(crate) fn token() -> Result<String, NoRandomness> {
    Ok(URL_SAFE_NO_PAD.encode(bytes::<16>()?))
}

/// The 32 characters of Crockford's base32: without `I`, `L`, `O` and `U`, which people confuse.
const READABLE: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// 100 random bits as 20 capital letters and digits that a person can read out.
pub(crate) fn readable() -> Result<String, NoRandomness> {
    let bytes = bytes::<20>()?;
    let character = |byte| char::from(READABLE[usize::from(byte % 32)]);
    Ok(bytes.into_iter().map(character).collect())
}

/// Random decimal digits, evenly distributed.
pub(crate) fn digits(count: usize) -> Result<String, NoRandomness> {
    let mut text = String::with_capacity(count);
    while text.len() < count {
        let fair = bytes::<32>()?.into_iter().filter(|byte| *byte < 250);
        text.extend(
            fair.map(|byte| char::from(b'0' + byte % 10))
                .take(count - text.len()),
        );
    }
    Ok(text)
}

/// A number in `0.0..1.0`, for jitter.
pub(crate) fn fraction() -> f64 {
    bytes::<2>().map_or(0.5, |bytes| f64::from(u16::from_be_bytes(bytes)) / 65_536.0)
}

#[cfg(test)]
mod tests {
    use super::{READABLE, digits, readable, token};
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
        // It is as unlikely that one of them is missing in 4000 characters as to guess an id.
        let used: HashSet<_> = ids.iter().flat_map(|id| id.bytes()).collect();
        assert_eq!(used, READABLE.iter().copied().collect());
    }

    #[test]
    fn tokens_have_128_bits() {
        assert_eq!(token().unwrap().len(), 22);
        assert_ne!(token().unwrap(), token().unwrap());
    }
}
