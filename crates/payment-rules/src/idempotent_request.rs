//! Requests that carry an idempotency key.

use super::ledger::Asker;
use crate::fingerprint::fingerprint;
use payment_model::{IdempotencyKey, Timestamp};
use serde::{Deserialize, Serialize};

/// The sender of a key: the same text from another sender is another key.
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

/// A request under its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    pub sender: Sender,
    pub key: IdempotencyKey,
    /// The hash of the request: a key belongs to the first request that came with it.
    pub fingerprint: String,
    /// The order of a payer's request.
    pub order_id: Option<String>,
}

impl IdempotentRequest {
    /// The name of the request among all senders.
    pub fn hash(&self) -> String {
        let (kind, sender) = self.sender.words();
        fingerprint(&[kind, sender, self.key.as_str()].join("\n"))
    }

    pub fn of_staff(asker: &Asker, fingerprint: &str) -> Self {
        Self {
            sender: Sender::Staff(asker.staff.clone()),
            key: asker.key.clone(),
            fingerprint: fingerprint.to_owned(),
            order_id: None,
        }
    }
}

/// The right to run a request. It lasts until somebody else may claim the key, and only the claim of
/// that moment ends the key: a process that was held up may wake when another one has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub request: IdempotentRequest,
    /// The end of its lease, by the clock of the leases. A later claim of the same key ends later,
    /// so that no two have the same.
    pub until: Timestamp,
}

/// Why a request with a key does not run.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing<A> {
    /// It is running.
    Running,
    /// It has its final answer.
    Answered(A),
    /// The key belongs to another request.
    Other,
}

#[cfg(test)]
mod tests {
    use super::{IdempotentRequest, Sender};
    use crate::ledger::Asker;
    use payment_model::IdempotencyKey;

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
        let asker = Asker {
            staff: "ana".to_owned(),
            key: key.clone(),
        };
        let expected = IdempotentRequest {
            sender: Sender::Staff("ana".to_owned()),
            key,
            fingerprint: "f".to_owned(),
            order_id: None,
        };
        assert_eq!(IdempotentRequest::of_staff(&asker, "f"), expected);
    }
}
