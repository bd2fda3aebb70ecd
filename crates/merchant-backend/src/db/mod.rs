//! What must survive a restart.
//!
//! One small interface: everything that correctness needs goes through it, so that several
//! nodes could share one database. Each method is atomic, and durable when it returns; only whose
//! turn it is and what is planned when may be lost when the power fails (`unsynced`).

mod abandoned;
mod audit;
mod blocks;
mod database_file;
mod desk;
mod due;
mod events;
mod exceptions;
mod excesses;
mod idempotency_keys;
mod operation_row;
mod operations;
mod orders;
#[cfg(test)]
mod plans;
mod purging;
mod readiness;
mod refund_rows;
mod refund_watches;
mod refunds;
mod return_rows;
mod reversal_rows;
mod row_parts;
mod schema;
mod search;
mod sqlite;
mod staff_sessions;
mod unsynced;
mod writers;
mod writing;

pub(crate) use audit::AuditRecord;
pub(crate) use blocks::BlockRelease;
pub use database_file::DatabaseError;
pub(crate) use desk::OperationSummary;
pub(crate) use events::StoredEvent;
pub(crate) use exceptions::FoundException;
pub(crate) use purging::PurgeFile;
pub(crate) use refunds::Notes;
pub(crate) use search::FoundPage;
pub(crate) use sqlite::Db;
pub(crate) use staff_sessions::Holder;

use super::parse_fault;
use crate::clock::Millis;
use crate::domain::operation::OperationRecord;

/// The store failed; the message is for the log.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the database failed: {0}")]
pub(crate) struct DbError(String);

impl DbError {
    /// Something that must be there is not.
    pub(crate) fn missing(what: impl std::fmt::Display) -> Self {
        Self(format!("missing: {what}"))
    }

    /// A write took longer than anybody waits.
    pub(crate) fn slow() -> Self {
        Self("a write takes too long".to_owned())
    }
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for DbError {
    fn from(error: serde_json::Error) -> Self {
        let fault = parse_fault::json(&error);
        Self(format!("a stored value {fault}"))
    }
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

#[cfg(test)]
mod tests {
    use super::DbError;

    #[test]
    fn what_a_stored_value_held_is_not_told() {
        let error = serde_json::from_str::<u64>("\"canary\"").unwrap_err();
        assert!(error.to_string().contains("canary"));
        assert_eq!(
            DbError::from(error).to_string(),
            "the database failed: a stored value has a value of another kind at line 1, column 8"
        );
    }
}
