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
pub(crate) struct KeyedRequest {
    pub(crate) sender: Sender,
    pub(crate) key: IdempotencyKey,
    /// The hash of the request: a key belongs to the first request that came with it.
    pub(crate) fingerprint: String,
    /// The order of a payer's request.
    pub(crate) order_id: Option<String>,
}

impl KeyedRequest {
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
