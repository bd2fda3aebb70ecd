//! Requests that carry an idempotency key.

use super::ledger::Asker;
use payment_model::IdempotencyKey;

/// The sender of a key: the same text from another sender is another key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Sender {
    /// The hash of a payer's session.
    Payer(String),
    /// The name of a staff account.
    Staff(String),
}

impl Sender {
    /// The words in the database: the kind of sender, and which one.
    pub(crate) fn words(&self) -> (&'static str, &str) {
        match self {
            Self::Payer(session) => ("payer", session),
            Self::Staff(name) => ("staff", name),
        }
    }
}

/// A request under its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IdempotentRequest {
    pub(crate) sender: Sender,
    pub(crate) key: IdempotencyKey,
    /// The hash of the request: a key belongs to the first request that came with it.
    pub(crate) fingerprint: String,
    /// The order of a payer's request.
    pub(crate) order_id: Option<String>,
}

impl IdempotentRequest {
    pub(crate) fn of_staff(asker: &Asker, fingerprint: &str) -> Self {
        Self {
            sender: Sender::Staff(asker.staff.clone()),
            key: asker.key.clone(),
            fingerprint: fingerprint.to_owned(),
            order_id: None,
        }
    }
}

/// The progress of a request with a key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Standing<A> {
    /// The caller may run it.
    Claimed,
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
    use crate::domain::ledger::Asker;
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
