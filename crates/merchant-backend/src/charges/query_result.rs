//! Questions about an operation, and what is known after them.

use super::retries::seconds;
use crate::db::DbError;
use crate::domain::operation::{OperationRecord, Taken};
use crate::service::ServiceError;

/// The result of a query.
#[derive(Debug, Clone)]
pub(crate) struct Queried {
    pub(crate) record: OperationRecord,
    /// The outcome of the answer; `None` when a stored result was new enough.
    pub(crate) taken: Option<Taken>,
}

/// Why nothing was learned.
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
    /// The failure of the service that it is, or is like.
    pub(crate) fn of_service(self) -> ServiceError {
        match self {
            Self::Service(error) => error,
            Self::GivenUp | Self::Database(_) => ServiceError::Timeout,
        }
    }

    /// After how many seconds to ask again; a failure of the database stays one.
    pub(crate) fn retry_after(self) -> Result<Option<u64>, DbError> {
        match self {
            Self::Service(error) => Ok(Some(seconds(error.retry_after()))),
            Self::GivenUp => Ok(Some(seconds(None))),
            Self::Database(error) => Err(error),
        }
    }
}
