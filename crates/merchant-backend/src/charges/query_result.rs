//! The result of a query about an operation.

use super::payment_attempt::SOON;
use crate::db::DbError;
use crate::payment_service::ServiceError;
use crate::send_window::SendWindow;
use payment_rules::operation::{OperationRecord, Taken};
use std::time::Duration;

/// The result of a query.
#[derive(Debug, Clone)]
pub(crate) struct Queried {
    pub(crate) record: OperationRecord,
    /// The outcome of the answer; `None` when a stored result was new enough.
    pub(crate) taken: Option<Taken>,
    /// The time for a request that rests on it.
    pub(crate) window: SendWindow,
}

impl Queried {
    /// True when a new answer confirms the stored state, and no other one disagrees: only then may
    /// money that rests on it leave.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.taken == Some(Taken::Believed) && !self.record.is_disputed()
    }

    /// True when a notification came after the query had begun.
    pub(super) fn is_overtaken(&self) -> bool {
        self.taken.is_some_and(Taken::is_believed) && self.record.hinted_at.is_some()
    }
}

/// Why a query brought nothing.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum QueryError {
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error(transparent)]
    Database(#[from] DbError),
    #[error("the query was given up")]
    GivenUp,
}

impl QueryError {
    /// The service's failure, or the one that this error is handled as.
    pub(crate) fn of_service(self) -> ServiceError {
        match self {
            Self::Service(error) => error,
            Self::GivenUp | Self::Database(_) => ServiceError::Timeout,
        }
    }

    /// How long to wait before asking again; a failure of the database stays one.
    pub(crate) fn retry_after(self) -> Result<Duration, DbError> {
        match self {
            Self::Service(error) => Ok(error.retry_after().unwrap_or(SOON)),
            Self::GivenUp => Ok(SOON),
            Self::Database(error) => Err(error),
        }
    }
}
