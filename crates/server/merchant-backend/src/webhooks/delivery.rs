use crate::clock::now;
use crate::config::{EventReceiver, EventSigningKey};
use crate::db::DueEvent;
use crate::send_window::SendWindow;
use crate::trace;
use crate::wire::{ReadyConnection, WireError};
use axum::body::Bytes;
use axum::http::Request;
use axum::http::header::CONTENT_TYPE;
use std::time::Duration;
use url::Url;

/// The lease may have expired, so the event was not sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LeaseExpired;

/// Signs events and sends them to the address of a receiver.
pub(super) struct EventSender {
    connection: ReadyConnection,
    url: Url,
    key: EventSigningKey,
}

impl EventSender {
    pub(super) fn new(receiver: &EventReceiver, timeout: Duration) -> Result<Self, String> {
        Self::to(receiver.url.clone(), receiver.key.clone(), timeout)
    }

    /// Sends to an address that is no receiver's.
    pub(super) fn to(url: Url, key: EventSigningKey, timeout: Duration) -> Result<Self, String> {
        // Only the status counts, so no body is read.
        let connection = ReadyConnection::new(&url, timeout, |_| 0)?;
        Ok(Self {
            connection,
            url,
            key,
        })
    }

    /// Sends an event once, if the send window, and so the lease, has not expired.
    pub(super) async fn deliver(
        &self,
        event: &DueEvent,
        window: SendWindow,
    ) -> Result<DeliveryOutcome, LeaseExpired> {
        let timestamp = now().as_secs().to_string();
        let signature = self.key.sign(&event.id, &timestamp, &event.body);
        let request = Request::post(self.url.as_str())
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", &event.id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signature)
            .body(Bytes::from(event.body.clone()));
        let answered = match request {
            Ok(mut request) => {
                trace::add_to(request.headers_mut());
                self.connection.exchange(request, window).await
            }
            Err(_) => Err(WireError::Unaddressed),
        };
        match answered {
            Ok(answer) => Ok(DeliveryOutcome::Answered(answer.status().as_u16())),
            Err(WireError::Late) => Err(LeaseExpired),
            Err(WireError::Timeout) => Ok(DeliveryOutcome::NoAnswerInTime),
            Err(WireError::Unreached | WireError::Unaddressed) => Ok(DeliveryOutcome::NoConnection),
            Err(WireError::Connection | WireError::TooLarge) => Ok(DeliveryOutcome::NoAnswer),
        }
    }
}

/// What became of a delivery that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeliveryOutcome {
    /// The receiver answered with this status.
    Answered(u16),
    NoAnswerInTime,
    NoConnection,
    /// The answer cannot be read. The event may have arrived.
    NoAnswer,
}

impl DeliveryOutcome {
    /// True if the receiver took the event.
    pub(super) fn is_accepted(self) -> bool {
        matches!(self, Self::Answered(200..=299))
    }

    /// True if the receiver wants no event any more.
    pub(super) fn is_gone(self) -> bool {
        matches!(self, Self::Answered(410))
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
    use super::{DeliveryOutcome, EventSender, LeaseExpired};
    use crate::config::EventSigningKey;
    use crate::db::DueEvent;
    use crate::send_window::SendWindow;
    use std::io::{ErrorKind, Read};
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
            trace: None,
            failures: 0,
        };
        let halted = SendWindow::ago(Duration::from_secs(3));
        assert_eq!(sender.deliver(&event, halted).await, Err(LeaseExpired));
        let (mut connection, _) = listener.accept().unwrap();
        connection.set_nonblocking(true).unwrap();
        let nothing = connection.read(&mut [0; 1]).unwrap_err();
        assert_eq!(nothing.kind(), ErrorKind::WouldBlock);
        let sent = sender.deliver(&event, SendWindow::open()).await.unwrap();
        assert_eq!(sent, DeliveryOutcome::NoAnswerInTime);
        assert_eq!(connection.read(&mut [0; 4]).unwrap(), 4);
    }
}
