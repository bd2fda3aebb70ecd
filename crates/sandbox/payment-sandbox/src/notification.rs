//! Notifies the merchant when an operation changes.

use crate::Sandbox;
use crate::charge::Charge;
use crate::fault::{Fault, Happening};
use crate::journal::Effect;
use axum::body::{Body, Bytes};
use axum::http::Request;
use axum::http::header::CONTENT_TYPE;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use payment_model::{MerchantCode, MerchantOperationNumber, TransactionId, TransactionState};
use serde::Serialize;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{sleep, timeout};

/// A notification to deliver. The specification does not define the payload. It has only numbers and the
/// state, since a merchant must query the operation anyway.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Notification {
    #[serde(skip)]
    pub(crate) callback_url: String,
    merchant_code: MerchantCode,
    pub(crate) merchant_operation_number: MerchantOperationNumber,
    transaction_id: TransactionId,
    state: TransactionState,
}

impl Notification {
    /// Creates the notification about a charge; `None` if its request had no `callback_url`.
    pub(crate) fn about(charge: &Charge) -> Option<Self> {
        Some(Self {
            callback_url: charge.callback_url()?.to_owned(),
            merchant_code: charge.asked.key.merchant_code.clone(),
            merchant_operation_number: charge.asked.key.number.clone(),
            transaction_id: charge.transaction_id.clone(),
            state: charge.state.clone(),
        })
    }

    /// What the journal notes of a delivery.
    pub(crate) fn effect(&self) -> Effect {
        Effect {
            merchant_code: Some(self.merchant_code.to_string()),
            merchant_operation_number: Some(self.merchant_operation_number.to_string()),
            transaction_id: Some(self.transaction_id.to_string()),
            state_after: Some(self.state.to_string()),
            ..Effect::default()
        }
    }

    /// The request that delivers it; `None` if its address is none.
    pub(crate) fn request(&self) -> Option<Request<Bytes>> {
        let body = serde_json::to_vec(self).ok()?;
        let request = Request::post(&self.callback_url);
        let request = request.header(CONTENT_TYPE, "application/json");
        request.body(Bytes::from(body)).ok()
    }
}

const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Delivers each notification in a separate task, so that a slow merchant does not delay others.
pub(crate) async fn deliver(sandbox: Sandbox, mut notifications: UnboundedReceiver<Notification>) {
    let mut connector = HttpConnector::new();
    connector.set_connect_timeout(Some(ANSWER_TIMEOUT));
    let client = Client::builder(TokioExecutor::new()).build(connector);
    while let Some(notification) = notifications.recv().await {
        let Some(request) = notification.request() else {
            tracing::warn!("a notification is not sent: callback_url is not an address");
            continue;
        };
        // Taken here and not in the task, so that faults apply to notifications in sequence.
        let fault = sandbox.take_notification_fault(request.uri().path());
        let delivery = Delivery {
            sandbox: sandbox.clone(),
            client: client.clone(),
            notification,
            request,
        };
        tokio::spawn(delivery.meet(fault));
    }
}

/// A notification on its way.
struct Delivery {
    sandbox: Sandbox,
    client: Client<HttpConnector, Body>,
    notification: Notification,
    request: Request<Bytes>,
}

impl Delivery {
    /// Applies the fault: loses, delays or duplicates the notification.
    async fn meet(self, fault: Option<Fault>) {
        let number = self.notification.merchant_operation_number.as_str();
        let mut copies = 1;
        if let Some(fault) = fault {
            tracing::info!(
                number,
                fault = fault.happening.name(),
                "a notification meets a fault"
            );
            match fault.happening {
                Happening::LoseNotification => return,
                Happening::DuplicateNotification => copies = 2,
                _ => {}
            }
            sleep(fault.wait).await;
        }
        for _ in 0..copies {
            self.send().await;
        }
    }

    /// Sends the notification, and retries until the merchant answers with success or no retries are left.
    async fn send(&self) {
        let number = self.notification.merchant_operation_number.as_str();
        for pause in self.sandbox.retry_pauses() {
            let request = self.request.clone().map(Body::from);
            let answer = timeout(ANSWER_TIMEOUT, self.client.request(request)).await;
            let status = match &answer {
                Ok(Ok(answer)) => Some(answer.status().as_u16()),
                _ => None,
            };
            let path = self.request.uri().path();
            self.sandbox.note_delivery(&self.notification, path, status);
            match answer {
                Ok(Ok(answer)) if answer.status().is_success() => {
                    tracing::info!(number, "a notification was answered");
                    return;
                }
                Ok(Ok(_)) => tracing::warn!(number, status, "a notification was refused"),
                Ok(Err(error)) => {
                    tracing::warn!(number, %error, "a notification did not arrive");
                }
                Err(_) => tracing::warn!(number, "a notification was not answered in time"),
            }
            sleep(*pause).await;
        }
        tracing::warn!(number, "a notification was given up");
    }
}
