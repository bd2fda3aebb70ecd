//! Signatures with the setting `COOKIE_KEY`. Events are signed with another key, in `event_signing_key`.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;

/// The purpose of a signature. A signature for one purpose is not valid for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The session cookie.
    Session,
    /// The token that lets another browser read one operation.
    Checkout,
    /// The cookie of a device on which a member of staff signed in before.
    Device,
}

impl Purpose {
    fn label(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Checkout => "checkout",
            Self::Device => "staff-device",
        }
    }
}

/// The key that signs values that browsers store and send back: cookies, and the tokens in return
/// addresses.
#[derive(Clone)]
pub(crate) struct CookieKey(hmac::Key);

impl CookieKey {
    pub(crate) fn new(key: &str) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()))
    }

    /// Signs a text, and returns the signature in base64url.
    pub(crate) fn sign(&self, purpose: Purpose, text: &str) -> String {
        URL_SAFE_NO_PAD.encode(hmac::sign(&self.0, &message(purpose, text)))
    }

    /// True when the signature is valid. The comparison takes constant time.
    pub(crate) fn verify(&self, purpose: Purpose, text: &str, signature: &str) -> bool {
        URL_SAFE_NO_PAD.decode(signature).is_ok_and(|signature| {
            hmac::verify(&self.0, &message(purpose, text), &signature).is_ok()
        })
    }
}

fn message(purpose: Purpose, text: &str) -> Vec<u8> {
    [purpose.label().as_bytes(), b"\0", text.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::{CookieKey, Purpose};

    #[test]
    fn only_the_same_key_purpose_and_text_verify() {
        let key = CookieKey::new("0123456789abcdef0123456789abcdef");
        let signature = key.sign(Purpose::Session, "text");
        let check = |key: &CookieKey, purpose, text, signature: &str| {
            assert!(!key.verify(purpose, text, signature));
        };
        assert!(key.verify(Purpose::Session, "text", &signature));
        check(&key, Purpose::Checkout, "text", &signature);
        check(&key, Purpose::Session, "texT", &signature);
        check(&key, Purpose::Session, "text", "");
        check(&key, Purpose::Session, "text", &signature[1..]);
        check(
            &CookieKey::new("another key of the same length 32"),
            Purpose::Session,
            "text",
            &signature,
        );
    }
}
