use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt;

/// Declares a newtype for one kind of identifier, so that the compiler prevents mixing kinds up.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Creates the identifier from its text, which is not checked.
            #[must_use]
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The unchanged text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

id! {
    /// The merchant's code at the payment service (`merchant_code`).
    MerchantCode
}
id! {
    /// The merchant's own identifier of one attempt to pay (`merchant_operation_number`). It must be
    /// different for every transaction (Limits).
    MerchantOperationNumber
}
id! {
    /// The service's identifier of a transaction (`transaction_id`).
    TransactionId
}
id! {
    /// The service's identifier of a refund (`refund_id`).
    RefundId
}

/// The value of the header `Idempotency-Key`: requests with the same key are repetitions of one request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdempotencyKey(String);

/// A text that is not a valid idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrongIdempotencyKey {
    /// The key is empty.
    Empty,
    /// The key has more than 255 characters.
    TooLong,
    /// The key has a character that is not printable ASCII, or its quotes are wrong.
    Malformed,
}

impl fmt::Display for WrongIdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "is empty",
            Self::TooLong => "is longer than 255 characters",
            Self::Malformed => "must be a quoted string of printable ASCII characters",
        })
    }
}

impl Error for WrongIdempotencyKey {}

impl IdempotencyKey {
    const MAX_LENGTH: usize = 255;

    /// Creates a key from 1 to 255 printable ASCII characters.
    ///
    /// # Errors
    /// The text is empty, too long, or has another character.
    pub fn new(text: impl Into<String>) -> Result<Self, WrongIdempotencyKey> {
        let text = text.into();
        if text.bytes().any(|byte| !(b' '..=b'~').contains(&byte)) {
            return Err(WrongIdempotencyKey::Malformed);
        }
        match text.len() {
            0 => Err(WrongIdempotencyKey::Empty),
            1..=Self::MAX_LENGTH => Ok(Self(text)),
            _ => Err(WrongIdempotencyKey::TooLong),
        }
    }

    /// Parses the value of the header: a quoted string, as in the draft standard, or a text without
    /// quotes.
    ///
    /// A parser of structured fields, such as the crate `sfv`, rejects most of the keys without quotes
    /// that clients send, and accepts parameters after a key.
    ///
    /// # Errors
    /// The quotes are wrong, or the text within them is not a valid key.
    pub fn from_header(value: &str) -> Result<Self, WrongIdempotencyKey> {
        let text = value.trim_matches(' ');
        match text.strip_prefix('"') {
            Some(rest) => Self::new(unquoted(rest)?),
            None if text.contains('"') => Err(WrongIdempotencyKey::Malformed),
            None => Self::new(text),
        }
    }

    /// Creates a key of 32 hexadecimal digits from 128 random bits.
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

    /// The text of the key.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True when the key has the form of [`Self::from_entropy`]: a check for keys from a browser's
    /// storage.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        self.0.len() == 32 && self.0.bytes().all(|b| b.is_ascii_hexdigit())
    }
}

/// Parses a quoted string after its first quote. `\"` and `\\` are the only escapes.
fn unquoted(rest: &str) -> Result<String, WrongIdempotencyKey> {
    let mut key = String::with_capacity(rest.len());
    let mut characters = rest.chars();
    loop {
        match characters.next() {
            Some('"') if characters.as_str().is_empty() => return Ok(key),
            None | Some('"') => return Err(WrongIdempotencyKey::Malformed),
            Some('\\') => match characters.next() {
                Some(escaped @ ('"' | '\\')) => key.push(escaped),
                _ => return Err(WrongIdempotencyKey::Malformed),
            },
            Some(other) => key.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::IdempotencyKey;
    use super::WrongIdempotencyKey::{self, Empty, Malformed, TooLong};

    #[test]
    fn quoted_and_bare_keys_are_the_same_key() {
        let check = |text: &str, expected: Result<&str, WrongIdempotencyKey>| {
            let key = IdempotencyKey::from_header(text);
            let key = key.as_ref().map(IdempotencyKey::as_str);
            assert_eq!(key.map_err(|wrong| *wrong), expected, "{text}");
        };
        check("\"8e03978e-40d5\"", Ok("8e03978e-40d5"));
        check("8e03978e-40d5", Ok("8e03978e-40d5"));
        check("  8e03978e-40d5 ", Ok("8e03978e-40d5"));
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
    fn a_refusal_is_the_end_of_a_sentence_about_the_key() {
        for (wrong, text) in [
            (Empty, "is empty"),
            (TooLong, "is longer than 255 characters"),
            (
                Malformed,
                "must be a quoted string of printable ASCII characters",
            ),
        ] {
            assert_eq!(wrong.to_string(), text);
        }
    }

    #[test]
    fn a_key_made_here_is_32_hexadecimal_digits_and_no_other_key_passes_for_one() {
        let digits = "0123456789abcdeffedcba9876543210";
        let key = IdempotencyKey::from_entropy(0x0123_4567_89ab_cdef_fedc_ba98_7654_3210);
        assert_eq!(key.as_str(), digits);
        assert!(key.is_well_formed());
        assert_eq!(IdempotencyKey::from_header(digits), Ok(key));
        for other in ["another", &digits[1..], &digits.replace('0', "g")] {
            assert!(!IdempotencyKey::new(other).unwrap().is_well_formed());
        }
    }
}
