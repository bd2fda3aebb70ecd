//! Requests that carry an idempotency key.

use super::ledger::Asker;

/// The sender of a key: the same key of somebody else is another one.
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
    pub(crate) key: String,
    /// Hash of the request: a key belongs to the first one that came with it.
    pub(crate) fingerprint: String,
    /// The order that it is about, if it is a payer's.
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

/// The progress of a keyed request, with the answer that it was given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Standing<A> {
    /// It is ours to run.
    Claimed,
    /// Somebody runs it right now.
    Running,
    /// It has its answer, for good.
    Answered(A),
    /// The key belongs to another request.
    Other,
}
