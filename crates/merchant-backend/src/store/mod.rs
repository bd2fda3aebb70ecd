//! What must survive a restart.
//!
//! One small interface: everything that correctness needs goes through it, so that several
//! nodes could share one database. Each method is atomic, and durable when it returns; only whose
//! turn it is and what is planned when may be lost when the power fails (`unsynced`).

mod abandoned;
mod audit;
mod blocks;
mod desk;
mod due;
mod exceptions;
mod excesses;
mod file;
mod idempotency_keys;
mod operation_row;
mod operations;
mod orders;
mod outbox;
#[cfg(test)]
mod plans;
mod purging;
mod readiness;
mod refund_rows;
mod refund_watches;
mod refunds;
mod return_rows;
mod reversal_rows;
mod schema;
mod search;
mod sqlite;
mod staff_requests;
mod staff_sessions;
mod unsynced;
mod writers;
mod writing;

pub(crate) use audit::Deed;
pub(crate) use blocks::BlockRelease;
pub(crate) use desk::{Desk, OperationSummary};
pub(crate) use exceptions::FoundException;
pub use file::DatabaseError;
pub(crate) use outbox::{Outbox, OutboxEvent};
pub(crate) use purging::PurgeFile;
pub(crate) use refunds::{Notes, Refunds, RequestStanding};
pub(crate) use search::FoundPage;
pub(crate) use sqlite::Sqlite;
pub(crate) use staff_sessions::Holder;

use crate::clock::{Millis, Moment};
use crate::operation::{OperationKey, OperationRecord};
use crate::order::Order;
use crate::parse_fault;
use async_trait::async_trait;
use serde_json::Value;

/// The store failed; the message is for the log.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the database failed: {0}")]
pub(crate) struct StoreError(String);

impl StoreError {
    /// Something that must be there is not.
    pub(crate) fn missing(what: impl std::fmt::Display) -> Self {
        Self(format!("missing: {what}"))
    }

    /// A write took longer than anybody waits.
    pub(crate) fn slow() -> Self {
        Self("a write takes too long".to_owned())
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        let fault = parse_fault::json(&error);
        Self(format!("a stored value {fault}"))
    }
}

/// An attempt: a key, bound to its session, with what it asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attempt {
    pub(crate) session_hash: String,
    pub(crate) key: String,
    pub(crate) order_id: String,
    /// Hash of order, method and redirect URL.
    pub(crate) fingerprint: String,
}

/// Where an attempt stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Standing {
    /// It is ours to run.
    Claimed,
    /// Somebody runs it right now.
    Running,
    /// It was answered with an operation.
    Answered(OperationKey),
    /// It was answered with a problem: status and body.
    Refused(u16, Value),
    /// The key belongs to another request.
    Other,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ending {
    /// With this operation.
    Operation(OperationKey),
    /// With a problem that repeating cannot change: status and body.
    Problem(u16, Value),
}

/// What became of a reservation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reservation {
    /// The operation is on disk and is its order's only live one.
    Reserved,
    /// The number was used before: mint another one.
    NumberTaken,
    /// The order has a live operation already.
    Live(Box<OperationRecord>),
    /// The order is paid by this operation.
    Paid(Box<OperationRecord>),
    /// The order has as many operations as an order may have.
    TooMany,
    /// A payment of the order was given back while its payer asked for another code, and nobody has
    /// told the payer.
    GivenBack(Box<OperationRecord>),
}

/// Whether the service may be asked about an operation now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Yes, and the turn is taken.
    Taken,
    /// Not before these milliseconds have passed.
    Wait(Millis),
}

/// A change of an operation; runs inside the transaction that writes it.
pub(crate) type Change = Box<dyn FnOnce(&mut OperationRecord) + Send>;

/// What must survive a restart.
#[async_trait]
pub(crate) trait Store: Refunds + Desk + Outbox + Send + Sync {
    /// Gives the database back; nothing can be stored afterwards.
    async fn close(&self);

    /// Fails when the database cannot be written to.
    async fn ready(&self) -> Result<(), StoreError>;

    async fn add_order(&self, order: &Order) -> Result<(), StoreError>;

    async fn order(&self, order_id: &str) -> Result<Option<Order>, StoreError>;

    /// The operations of an order, oldest first.
    async fn operations_of(&self, order_id: &str) -> Result<Vec<OperationRecord>, StoreError>;

    async fn operation(&self, key: &OperationKey) -> Result<Option<OperationRecord>, StoreError>;

    /// The operation whose callback URL holds the token with this hash.
    async fn operation_by_callback(&self, hash: &str) -> Result<Option<OperationKey>, StoreError>;

    /// The standing of an attempt, without claiming it: [`Standing::Claimed`] is one that would run.
    async fn standing(&self, attempt: &Attempt, at: Moment) -> Result<Standing, StoreError>;

    /// Removes some orders from before an instant that never had an operation, the oldest first;
    /// answers with how many.
    async fn remove_abandoned(&self, before: Millis, limit: u32) -> Result<u64, StoreError>;

    /// Claims an attempt for running until the lease ends.
    async fn claim(
        &self,
        attempt: &Attempt,
        at: Moment,
        lease: Millis,
    ) -> Result<Standing, StoreError>;

    /// Ends an attempt without an operation of its own: with an answer, or (`None`) so that
    /// its repetition runs again.
    async fn end(&self, attempt: &Attempt, ending: Option<Ending>) -> Result<(), StoreError>;

    /// Puts a new operation on disk as its order's only live one.
    async fn reserve(&self, record: &OperationRecord) -> Result<Reservation, StoreError>;

    /// Changes an operation, its order with it, ends an attempt, and writes the event that it
    /// is, all at once; answers with the operation as it is then.
    async fn change(
        &self,
        key: &OperationKey,
        change: Change,
        ended: Option<(&Attempt, Ending)>,
    ) -> Result<OperationRecord, StoreError>;

    /// Takes the turn to ask the service about an operation, if the last one is long enough
    /// ago.
    async fn take_turn(
        &self,
        key: &OperationKey,
        now: Millis,
        interval: Millis,
    ) -> Result<Turn, StoreError>;

    /// Takes operations that are due, so that nobody else does until the lease ends.
    async fn take_due(
        &self,
        at: Moment,
        lease: Millis,
        limit: u32,
    ) -> Result<Vec<OperationRecord>, StoreError>;

    /// When the next operation is due, by the wall clock.
    async fn next_due(&self, at: Moment) -> Result<Option<Millis>, StoreError>;

    /// Puts operations in doubt whose request left before an instant and was never answered:
    /// whoever sent it is gone. Answers with how many.
    async fn doubt_abandoned(&self, sent_before: Millis, now: Millis) -> Result<u64, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::StoreError;

    #[test]
    fn what_a_stored_value_held_is_not_told() {
        let error = serde_json::from_str::<u64>("\"canary\"").unwrap_err();
        assert!(error.to_string().contains("canary"));
        assert_eq!(
            StoreError::from(error).to_string(),
            "the database failed: a stored value has a value of another kind at line 1, column 8"
        );
    }
}
