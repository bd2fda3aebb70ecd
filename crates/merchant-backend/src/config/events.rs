use crate::event_signing_key::EventSigningKey;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

/// The address that takes events for the merchant's own systems, and the signing key.
#[derive(Debug, Clone)]
pub struct EventsConfig {
    /// The address that takes them.
    pub(crate) url: Url,
    /// The key that signs the events.
    pub(crate) key: EventSigningKey,
}

/// The key that signs events, from `EVENTS_SECRET`.
pub(super) fn signing_key(secret: Option<&SecretString>) -> Result<EventSigningKey, String> {
    let key = match secret.map(ExposeSecret::expose_secret) {
        None => Err("is missing".to_owned()),
        Some("") => Err("is empty".to_owned()),
        Some(text) => EventSigningKey::parse(text),
    };
    key.map_err(|why| format!("EVENTS_SECRET {why}: give the secret that events are signed with, `whsec_` with at least 24 random bytes in base64 or at least 32 random characters."))
}
