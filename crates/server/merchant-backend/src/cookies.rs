//! Reads cookies from requests, and formats `Set-Cookie`.
//!
//! The crate `cookie` is not used: it depends on a calendar library for `Expires`, which the server
//! never sets, and writes the attributes in another order.
//! The signed values of cookies and tokens: the key signs each for one purpose.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use std::time::Duration;

/// The attributes of one kind of cookies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cookies {
    /// True to restrict the cookies to HTTPS, which also gives their names the prefix `__Host-`.
    pub(crate) secure: bool,
    pub(crate) same_site: &'static str,
}

impl Cookies {
    /// The values of the cookies of this name. A request may have several.
    pub(crate) fn values<'a>(
        self,
        headers: &'a HeaderMap,
        name: &str,
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        let prefix = format!("{}{name}=", self.prefix());
        let cookies = headers.get_all(COOKIE).iter();
        // The header is split before it is decoded: a browser sends all cookies in one header, and
        // the shop's own cookies may have bytes that are not UTF-8.
        cookies
            .flat_map(|value| value.as_bytes().split(|byte| *byte == b';'))
            .filter_map(|pair| str::from_utf8(pair).ok())
            .filter_map(move |pair| pair.trim().strip_prefix(&prefix))
    }

    /// Formats `Set-Cookie`. An age of zero deletes the cookie.
    pub(crate) fn set(self, name: &str, value: &str, age: Duration) -> String {
        let (prefix, same_site) = (self.prefix(), self.same_site);
        let seconds = age.as_secs();
        let secure = if self.secure { "; Secure" } else { "" };
        format!(
            "{prefix}{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}"
        )
    }

    fn prefix(self) -> &'static str {
        if self.secure { "__Host-" } else { "" }
    }
}

/// The purpose of a signature. A signature for one purpose is not valid for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The session cookie.
    Session,
    /// The token that lets another browser read one operation.
    Checkout,
    /// The handle of an order's page.
    PayLink,
    /// The cookie of a device on which a member of staff signed in before.
    Device,
    /// The hash of a code that takes the place of a second factor, or permits to enrol one.
    SecondFactorCode,
    /// The key that seals the second factors of staff.
    SecondFactorKey,
}

impl Purpose {
    fn label(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Checkout => "checkout",
            Self::PayLink => "pay-link",
            Self::Device => "staff-device",
            Self::SecondFactorCode => "staff-second-factor-code",
            Self::SecondFactorKey => "staff-second-factor-key",
        }
    }
}

/// The key that signs values that browsers store and send back: cookies, and the tokens in return addresses. What it
/// derives seals and hashes the second factors of staff.
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

    /// Derives a key for another purpose. Only whoever has this key can derive it.
    pub(crate) fn derive(&self, purpose: Purpose) -> [u8; 32] {
        let tag = hmac::sign(&self.0, &message(purpose, ""));
        let mut key = [0; 32];
        key.iter_mut()
            .zip(tag.as_ref())
            .for_each(|(to, from)| *to = *from);
        key
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
