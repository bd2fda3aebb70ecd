//! Notifies the merchant when an operation changes.

mod delivery;

pub(crate) use delivery::deliver;

use crate::charge::Charge;
use crate::journal::Effect;
use axum::body::Bytes;
use axum::http::Request;
use axum::http::header::CONTENT_TYPE;
use payment_model::{MerchantCode, MerchantOperationNumber, TransactionId, TransactionState};
use serde::Serialize;

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
