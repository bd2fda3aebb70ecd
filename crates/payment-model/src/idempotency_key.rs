use serde::{Deserialize, Serialize};

/// The key that makes every repetition of a request the same request (`Idempotency-Key`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// A key of 128 random bits.
    #[must_use]
    pub fn from_entropy(entropy: u128) -> Self {
        const DIGITS: [u8; 16] = *b"0123456789abcdef";
        let digit = |byte: u8| char::from(DIGITS[usize::from(byte & 15)]);
        Self(
            entropy
                .to_be_bytes()
                .into_iter()
                .flat_map(|byte| [digit(byte >> 4), digit(byte)])
                .collect(),
        )
    }

    /// The key's text, 32 hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True when a key from storage has the form of the keys that are made here.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        self.0.len() == 32 && self.0.bytes().all(|b| b.is_ascii_hexdigit())
    }
}
