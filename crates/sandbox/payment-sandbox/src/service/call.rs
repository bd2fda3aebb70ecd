use super::error::ServiceError;
use crate::charge::Key;
use crate::journal::Effect;
use crate::qr_content::QrMistake;
use crate::world::World;
use crate::{Sandbox, json};
use axum::http::StatusCode;
use payment_model::{MerchantCode, MerchantOperationNumber, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Longer texts from a request that was not validated are cut in the journal.
const MAX_NOTE_CHARS: usize = 100;

/// A request to an endpoint, with the locked data of the sandbox.
pub(crate) struct Call<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) now: Timestamp,
    /// The sandbox's own settings. Its data is already locked.
    pub(crate) sandbox: &'a Sandbox,
    /// What the QR of the answer must have wrong.
    pub(crate) qr_mistake: Option<QrMistake>,
    pub(crate) body: &'a [u8],
    /// The decoded parameters of the path, in their sequence.
    pub(crate) path: &'a [String],
    /// The effect for the journal, to which an endpoint adds.
    pub(crate) effect: Effect,
}

/// An endpoint's answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
}

impl Answer {
    /// Creates an answer with status 200.
    ///
    /// # Errors
    /// The body cannot be serialized.
    pub(crate) fn ok(body: &impl Serialize) -> Result<Self, ServiceError> {
        let body = serde_json::to_value(body)
            .map_err(|error| ServiceError::Internal(error.to_string()))?;
        Ok(Self {
            status: StatusCode::OK,
            body,
        })
    }
}

impl Call<'_> {
    /// Parses the JSON body.
    ///
    /// # Errors
    /// A sentence that names the missing or invalid field.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, ServiceError> {
        json::read(self.body).map_err(ServiceError::WrongField)
    }

    /// The key of the operation in the path.
    pub(crate) fn key_of_path(&self) -> Key {
        let part = |at: usize| self.path.get(at).map_or("", String::as_str);
        Key {
            merchant_code: MerchantCode::new(part(0)),
            number: MerchantOperationNumber::new(part(1)),
        }
    }

    /// Records the operation of the request for the journal, also for a request that is rejected or never
    /// reaches the endpoint.
    pub(crate) fn note_request(&mut self) {
        if !self.path.is_empty() {
            let key = self.key_of_path();
            self.effect.note_key(&key);
            return;
        }
        let body = serde_json::from_slice::<Value>(self.body).unwrap_or_default();
        let text = |pointer: &str| {
            let text = body.pointer(pointer)?.as_str()?;
            Some(text.chars().take(MAX_NOTE_CHARS).collect())
        };
        self.effect.merchant_code = text("/merchant_code");
        self.effect.merchant_operation_number = text("/merchant_operation_number");
        self.effect.amount = text("/payment_details/amount");
        self.effect.currency = text("/payment_details/currency");
    }
}
