//! A request under an idempotency key, and the final answer that a repetition of it gets.

use crate::fingerprint;
use crate::ledger::Requester;
use crate::operation::{OperationKey, OperationRecord};
use crate::order::FullOrderId;
use payment_model::{IdempotencyKey, LocalizedMessage, Timestamp, TransactionId};
use serde::{Deserialize, Serialize};

/// The sender of a key. An equal text from another sender is another key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sender {
    /// The hash of a payer's session.
    Payer(String),
    /// The name of a staff account.
    Staff(String),
}

impl Sender {
    /// The words in the database: the kind of sender, and which one.
    pub fn words(&self) -> (&'static str, &str) {
        match self {
            Self::Payer(session) => ("payer", session),
            Self::Staff(name) => ("staff", name),
        }
    }
}

/// A request with its idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// Who sent the request.
    pub sender: Sender,
    /// The key that the sender chose.
    pub key: IdempotencyKey,
    /// The hash of the request. A key belongs to the first request that came with it.
    pub fingerprint: String,
    /// The order of a payer's request.
    pub order: Option<FullOrderId>,
}

impl IdempotentRequest {
    /// The hash that identifies the key among those of all senders.
    pub fn hash(&self) -> String {
        let (kind, sender) = self.sender.words();
        fingerprint(&[kind, sender, self.key.as_str()].join("\n"))
    }

    /// A request of a member of staff.
    pub fn of_staff(requester: &Requester, fingerprint: &str) -> Self {
        Self {
            sender: Sender::Staff(requester.staff.clone()),
            key: requester.key.clone(),
            fingerprint: fingerprint.to_owned(),
            order: None,
        }
    }
}

/// The lease under which a process runs a request. Another process may claim the key after its end.
/// Only the latest claim can store the answer, because a process may resume after its lease has
/// passed to another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The request that may run.
    pub request: IdempotentRequest,
    /// The end of the lease, by the clock of the leases. A later claim of the same key ends later,
    /// so that no two claims are equal.
    pub until: Timestamp,
}

/// Why a request with a key does not run.
#[derive(Debug, Clone, PartialEq)]
pub enum KeyState<A> {
    /// The first request with the key is still running.
    Running,
    /// It has ended with this answer.
    Answered(A),
    /// The key belongs to another request.
    Other,
}

/// The answer stored under an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthorizationAnswer {
    /// The operation of the attempt, with the answer of the service.
    Operation(OperationKey),
    /// The refusal that every repetition of the request gets.
    Refused(AuthorizationRefusal),
}

/// A refusal that a repetition cannot change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "reason")]
pub enum AuthorizationRefusal {
    /// The order has as many operations as an order may have.
    TooManyOperations,
    /// The shop closed the order.
    OrderClosed,
    /// The QR of the payment service is not for the order, or could not be read, and reached nobody.
    CodeRefused,
    /// The first code was paid late, and its payment was given back.
    PaymentReversed(Numbers),
    /// The payment service refused the attempt.
    AuthorizationRefused {
        /// The HTTP status of the service's answer.
        service_status: u16,
        /// The messages of the service for the payer.
        messages: Vec<LocalizedMessage>,
    },
}

/// The numbers by which a payer's browser knows an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// The key of the operation.
    #[serde(flatten)]
    pub key: OperationKey,
    /// The service's id of the transaction, once it is known.
    pub transaction_id: Option<TransactionId>,
}

impl Numbers {
    /// The numbers of a stored operation.
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
    use super::{IdempotentRequest, Sender};
    use crate::ledger::Requester;
    use crate::operation::OperationKey;
    use payment_model::IdempotencyKey;
    use payment_model::LocalizedMessage;
    use serde_json::json;

    #[test]
    fn the_same_name_of_another_kind_of_sender_is_another_sender() {
        let payer = Sender::Payer("ana".to_owned());
        let staff = Sender::Staff("ana".to_owned());
        assert_eq!(payer.words(), ("payer", "ana"));
        assert_eq!(staff.words(), ("staff", "ana"));
    }

    #[test]
    fn a_staff_request_belongs_to_the_account_and_to_no_order() {
        let key = IdempotencyKey::new("k").unwrap();
        let requester = Requester {
            staff: "ana".to_owned(),
            key: key.clone(),
        };
        let expected = IdempotentRequest {
            sender: Sender::Staff("ana".to_owned()),
            key,
            fingerprint: "f".to_owned(),
            order: None,
        };
        assert_eq!(IdempotentRequest::of_staff(&requester, "f"), expected);
    }

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
