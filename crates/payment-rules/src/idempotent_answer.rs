//! Final answers to attempts to pay.

use super::operation::{OperationKey, OperationRecord};
use payment_model::{LocalizedMessage, TransactionId};
use serde::{Deserialize, Serialize};

/// The answer stored under an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthorizationAnswer {
    /// This operation, with the answer that the service gave.
    Operation(OperationKey),
    Refused(AuthorizationRefusal),
}

/// A refusal that a repetition cannot change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "reason")]
pub enum AuthorizationRefusal {
    /// The order has had as many attempts as an order may have.
    TooManyOperations,
    /// The first code was paid late, and its payment was given back.
    PaymentReversed(Numbers),
    /// The payment service did not accept the request, in its own words; whether it registered the
    /// payment all the same is unknown.
    NotAccepted { messages: Vec<LocalizedMessage> },
    /// The payment service refused, in its own words.
    AuthorizationRefused {
        service_status: u16,
        messages: Vec<LocalizedMessage>,
    },
}

/// The numbers by which a payer's browser knows an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    #[serde(flatten)]
    pub key: OperationKey,
    pub transaction_id: Option<TransactionId>,
}

impl Numbers {
    pub fn of(record: &OperationRecord) -> Self {
        Self {
            key: record.key.clone(),
            transaction_id: record.transaction_id().cloned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AuthorizationAnswer, AuthorizationRefusal, Numbers};
    use crate::operation::OperationKey;
    use payment_model::LocalizedMessage;
    use serde_json::json;

    #[test]
    fn answers_are_read_as_they_were_written() {
        let key = OperationKey::new("shop", "0123");
        let named = json!({"merchant_code": "shop", "merchant_operation_number": "0123"});
        let message = LocalizedMessage {
            locale: "es_PE".to_owned(),
            value: "No.".to_owned(),
        };
        for (answer, written) in [
            (
                AuthorizationAnswer::Operation(key.clone()),
                json!({"operation": named}),
            ),
            (
                AuthorizationAnswer::Refused(AuthorizationRefusal::TooManyOperations),
                json!({"refused": {"reason": "too-many-operations"}}),
            ),
            (
                AuthorizationAnswer::Refused(AuthorizationRefusal::PaymentReversed(Numbers {
                    key,
                    transaction_id: None,
                })),
                json!({"refused": {"reason": "payment-reversed", "merchant_code": "shop",
                    "merchant_operation_number": "0123", "transaction_id": null}}),
            ),
            (
                AuthorizationAnswer::Refused(AuthorizationRefusal::AuthorizationRefused {
                    service_status: 400,
                    messages: vec![message],
                }),
                json!({"refused": {"reason": "authorization-refused", "service_status": 400,
                    "messages": [{"locale": "es_PE", "value": "No."}]}}),
            ),
        ] {
            assert_eq!(serde_json::to_value(&answer).unwrap(), written);
            let read: AuthorizationAnswer = serde_json::from_value(written).unwrap();
            assert_eq!(read, answer);
        }
    }
}
