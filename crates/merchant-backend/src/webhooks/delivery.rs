use crate::clock::now;
use crate::config::{EventReceiver, EventSigningKey};
use crate::db::{DeliveryOutcome, DueEvent, SentDelivery};
use crate::http_client;
use crate::send_window::SendWindow;
use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use std::time::{Duration, Instant};
use url::Url;

/// The lease may have expired, so the event was not sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LeaseExpired;

/// Signs events and sends them to the address of a receiver.
pub(super) struct EventSender {
    client: Client,
    url: Url,
    key: EventSigningKey,
}

impl EventSender {
    pub(super) fn new(receiver: &EventReceiver, timeout: Duration) -> Result<Self, String> {
        Self::to(receiver.url.clone(), receiver.key.clone(), timeout)
    }

    /// Sends to an address that is no receiver's.
    pub(super) fn to(url: Url, key: EventSigningKey, timeout: Duration) -> Result<Self, String> {
        let client = http_client::client(&url, timeout)?;
        Ok(Self { client, url, key })
    }

    /// Sends an event once, if the send window, and so the lease, has not expired.
    pub(super) async fn deliver(
        &self,
        event: &DueEvent,
        window: SendWindow,
    ) -> Result<SentDelivery, LeaseExpired> {
        let sent_at = now();
        let timestamp = sent_at.as_secs().to_string();
        let signature = self.key.sign(&event.id, &timestamp, &event.body);
        let request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", &event.id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signature)
            .body(event.body.clone());
        if !window.is_open() {
            return Err(LeaseExpired);
        }
        let begun = Instant::now();
        // Only the status counts, so the body is not read.
        let outcome = match request.send().await {
            Ok(answer) => DeliveryOutcome::Answered(answer.status().as_u16()),
            Err(error) if error.is_timeout() => DeliveryOutcome::NoAnswerInTime,
            Err(error) if error.is_connect() => DeliveryOutcome::NoConnection,
            Err(_) => DeliveryOutcome::NoAnswer,
        };
        Ok(SentDelivery {
            sent_at,
            outcome,
            duration: begun.elapsed(),
        })
    }
}

/// What became of a delivery, for people.
pub(super) fn in_words(outcome: DeliveryOutcome) -> String {
    match outcome {
        DeliveryOutcome::Answered(status) => format!("the answer was {status}"),
        DeliveryOutcome::NoAnswerInTime => "no answer in time".to_owned(),
        DeliveryOutcome::NoConnection => "no connection".to_owned(),
        DeliveryOutcome::NoAnswer => "no answer".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{EventSender, LeaseExpired};
    use crate::config::EventSigningKey;
    use crate::db::{DeliveryOutcome, DueEvent};
    use crate::send_window::SendWindow;
    use std::net::TcpListener;
    use std::time::Duration;

    #[tokio::test]
    async fn an_event_whose_lease_may_be_over_is_left_to_others() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let key = EventSigningKey::parse("0123456789abcdef0123456789abcdef").unwrap();
        let timeout = Duration::from_millis(200);
        let sender = EventSender::to(url.parse().unwrap(), key, timeout).unwrap();
        let event = DueEvent {
            seq: 1,
            id: "1".to_owned(),
            kind: "order.paid".to_owned(),
            body: "{}".to_owned(),
            failures: 0,
        };
        let halted = SendWindow::ago(Duration::from_secs(3));
        assert_eq!(sender.deliver(&event, halted).await, Err(LeaseExpired));
        assert!(listener.accept().is_err(), "it was sent");
        let sent = sender.deliver(&event, SendWindow::open()).await.unwrap();
        assert_eq!(sent.outcome, DeliveryOutcome::NoAnswerInTime);
        assert!(sent.duration >= timeout);
        assert!(listener.accept().is_ok());
    }
}
