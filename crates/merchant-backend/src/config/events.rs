use super::Settings;
use crate::event_signing_key::EventSigningKey;
use url::Url;

/// The address that takes events for the merchant's own systems, and the signing key.
#[derive(Debug, Clone)]
pub struct EventsConfig {
    /// The address that takes them.
    pub(crate) url: Url,
    /// The key that signs the events.
    pub(crate) key: EventSigningKey,
}

impl EventsConfig {
    /// Reads the settings and adds their errors to `wrongs`.
    pub(super) fn read(given: &Settings, wrongs: &mut Vec<String>) -> Option<Self> {
        let url = given.events_url.as_deref()?.trim();
        let url = address(url).map_err(|why| {
            wrongs.push(format!(
                "EVENTS_URL {why}: give the address that takes events, such as https://erp.example/events, or leave it out."
            ));
        });
        let hint = "give the secret that events are signed with, `whsec_` with at least 24 random bytes in base64 or at least 32 random characters";
        let key = match given.events_secret.as_deref().map(str::trim) {
            None => Err("is missing".to_owned()),
            Some("") => Err("is empty".to_owned()),
            Some(text) => EventSigningKey::parse(text),
        };
        let key = key.map_err(|why| wrongs.push(format!("EVENTS_SECRET {why}: {hint}.")));
        Some(Self {
            url: url.ok()?,
            key: key.ok()?,
        })
    }
}

/// The error does not repeat the address, which may hold a secret.
fn address(text: &str) -> Result<Url, &'static str> {
    if text.is_empty() {
        return Err("is empty");
    }
    let url = Url::parse(text).map_err(|_| "is no absolute address")?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("is neither http nor https");
    }
    if url.fragment().is_some() {
        return Err("must not have a `#`");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not hold a user name or password");
    }
    Ok(url)
}
