//! The result of a look-up, and what it proves.

use super::refusal::RefundsUnknown;
use crate::db::DbError;
use crate::payment_service::ServiceError;
use payment_model::{Meta, Refund, RefundQueryResponse, Timestamp};
use payment_rules::ledger::Ledger;
use payment_rules::operation::OperationKey;
use std::time::Duration;

/// The result of a look-up.
#[derive(Debug, Clone)]
pub(crate) struct LookedUp {
    pub(crate) ledger: Ledger,
    /// True when the list has all refunds of the operation.
    pub(crate) whole: bool,
    /// When the look began.
    pub(crate) began: Timestamp,
    pub(super) count: String,
    pub(super) meta: Meta,
}

/// Why a look-up brought nothing.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum LookUpError {
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error("the list is another merchant's")]
    Foreign,
    #[error("the look-up was given up")]
    GivenUp,
    #[error(transparent)]
    Database(#[from] DbError),
}

impl LookedUp {
    /// The service's answer, merged with the stored refunds: on a screen a refund never goes
    /// backwards.
    pub(crate) fn response(self) -> RefundQueryResponse {
        let refunds: Vec<Refund> = self
            .ledger
            .refunds
            .into_iter()
            .map(|record| record.refund)
            .collect();
        RefundQueryResponse {
            success: true,
            merchant_code: self.ledger.key.merchant_code,
            operations_count: if self.whole {
                refunds.len().to_string()
            } else {
                self.count
            },
            operations: refunds,
            meta: self.meta,
        }
    }

    /// The look-up, if its list proves that a refund is missing.
    pub(super) fn proves(self) -> Result<Self, RefundsUnknown> {
        if self.whole {
            return Ok(self);
        }
        Err(RefundsUnknown::Incomplete(self.ledger.key))
    }
}

impl LookUpError {
    /// The error as a refusal of staff's request; an error of the database stays an error.
    pub(crate) fn into_unknown(self, key: &OperationKey) -> Result<RefundsUnknown, DbError> {
        let error = match self {
            Self::Database(error) => return Err(error),
            Self::Service(ServiceError::Unauthorized) => return Ok(RefundsUnknown::LockedOut),
            Self::Service(error) => Some(error),
            Self::Foreign | Self::GivenUp => None,
        };
        let wait = error.and_then(|error| error.retry_after());
        let wait = wait.unwrap_or(Duration::from_secs(2));
        Ok(RefundsUnknown::NotLookedUp(key.clone(), wait))
    }
}
