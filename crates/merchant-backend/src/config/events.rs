//! The signature of a delivery: it follows the standard "Standard Webhooks", for which receivers find a
//! library in most languages. To sign is three lines with the cryptography that TLS brings anyway; the
//! library for Rust would bring another one.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;

/// The key that signs events, from `EVENTS_SECRET`.
pub(super) fn signing_key(secret: Option<&SecretString>) -> Result<EventSigningKey, String> {
    let key = match secret.map(ExposeSecret::expose_secret) {
        None => Err("is missing".to_owned()),
        Some("") => Err("is empty".to_owned()),
        Some(text) => EventSigningKey::parse(text),
    };
    key.map_err(|why| format!("EVENTS_SECRET {why}: give the secret that events are signed with, `whsec_` with at least 24 random bytes in base64 or at least 32 random characters."))
}

/// The least length of a secret in base64, by the convention.
const LEAST_BYTES: usize = 24;
/// The least length of a plain text, which has fewer bits a byte.
const LEAST_CHARACTERS: usize = 32;
/// A change from one secret to another takes two.
const MOST_SECRETS: usize = 2;

/// The key that signs events.
#[derive(Clone)]
pub(crate) struct EventSigningKey {
    /// Two while receivers change from one secret to the other.
    keys: Vec<hmac::Key>,
    /// Whether the secret was given without `whsec_`.
    is_plain_text: bool,
}

impl fmt::Debug for EventSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventSigningKey(redacted)")
    }
}

impl EventSigningKey {
    /// `whsec_` with base64, as the convention writes secrets, or two of them with a space between, or a
    /// plain text.
    ///
    /// # Errors
    /// The error in the key, without a quote.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let is_plain_text = !text.starts_with("whsec_");
        let keys = match is_plain_text {
            true => vec![plain_key(text)?],
            false => text
                .split_whitespace()
                .map(standard_key)
                .collect::<Result<_, _>>()?,
        };
        if keys.len() > MOST_SECRETS {
            return Err("holds more than two secrets".to_owned());
        }
        Ok(Self {
            keys,
            is_plain_text,
        })
    }

    /// True for a secret that libraries for Standard Webhooks read as another key: they decode every
    /// secret as base64.
    pub(super) fn is_plain_text(&self) -> bool {
        self.is_plain_text
    }

    /// The value of the header `webhook-signature`: one signature for each secret.
    pub(crate) fn sign(&self, id: &str, timestamp: &str, body: &str) -> String {
        let text = format!("{id}.{timestamp}.{body}");
        let signed = self.keys.iter().map(|key| {
            let tag = hmac::sign(key, text.as_bytes());
            format!("v1,{}", STANDARD.encode(tag))
        });
        signed.collect::<Vec<_>>().join(" ")
    }
}

fn standard_key(secret: &str) -> Result<hmac::Key, String> {
    let encoded = secret.strip_prefix("whsec_");
    let decoded = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
    let bytes = decoded.ok_or_else(|| "has no base64 after `whsec_`".to_owned())?;
    key(&bytes, LEAST_BYTES)
}

fn plain_key(text: &str) -> Result<hmac::Key, String> {
    key(text.as_bytes(), LEAST_CHARACTERS)
}

fn key(bytes: &[u8], least: usize) -> Result<hmac::Key, String> {
    match bytes.len() >= least {
        true => Ok(hmac::Key::new(hmac::HMAC_SHA256, bytes)),
        false => Err("is too short".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crate::config::EventSigningKey;

    #[test]
    fn signatures_are_those_that_others_compute() {
        // The example of the standard's own document.
        let key = EventSigningKey::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
        let signature = key.sign(id, "1614265330", r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        // While a secret is changed, receivers may have either.
        let other = format!("whsec_{}", "A".repeat(32));
        let both = format!("{other} whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let signatures = EventSigningKey::parse(&both).unwrap();
        let signatures = signatures.sign(id, "1614265330", r#"{"test": 2432232314}"#);
        let first = EventSigningKey::parse(&other).unwrap();
        let first = first.sign(id, "1614265330", r#"{"test": 2432232314}"#);
        assert_eq!(signatures, format!("{first} {signature}"));
        for wrong in [
            "whsec_",
            "whsec_AAAA",
            "whsec_%",
            &format!("{both} {other}"),
            &format!("{other} short"),
        ] {
            assert!(EventSigningKey::parse(wrong).is_err(), "{wrong}");
        }
        let shown = EventSigningKey::parse(&"canary".repeat(6)).unwrap();
        assert!(!format!("{shown:?}").contains("canary"));
    }
}
