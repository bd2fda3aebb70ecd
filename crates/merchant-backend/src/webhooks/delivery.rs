use crate::clock::now;
use crate::config::EventsConfig;
use crate::db::StoredEvent;
use crate::event_signing_key::EventSigningKey;
use crate::outgoing;
use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use std::time::Duration;
use url::Url;

/// The client, the address and the key that deliver events.
pub(super) struct Post {
    client: Client,
    url: Url,
    key: EventSigningKey,
}

impl Post {
    pub(super) fn new(config: &EventsConfig, timeout: Duration) -> Result<Self, String> {
        Ok(Self {
            client: outgoing::client(&config.url, timeout)?,
            url: config.url.clone(),
            key: config.key.clone(),
        })
    }

    /// Delivers an event once.
    ///
    /// # Errors
    /// Why it is not delivered, as far as it is known: the answer may have been lost.
    pub(super) async fn deliver(&self, event: &StoredEvent) -> Result<(), String> {
        let timestamp = now().as_secs().to_string();
        let signature = self.key.sign(&event.id, &timestamp, &event.body);
        let request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", &event.id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signature)
            .body(event.body.clone());
        // The status decides; the body is not read.
        match request.send().await {
            Ok(answer) if answer.status().is_success() => Ok(()),
            Ok(answer) => Err(format!("the answer was {}", answer.status().as_u16())),
            Err(error) if error.is_timeout() => Err("no answer in time".to_owned()),
            Err(error) if error.is_connect() => Err("no connection".to_owned()),
            Err(_) => Err("no answer".to_owned()),
        }
    }
}
