//! What staff are told of a look-up.

use super::look_up::{LookUpError, LookedUp};
use crate::db::DbError;
use crate::domain::operation::OperationKey;
use crate::http::problem::{Problem, ProblemKind};
use crate::service::ServiceError;
use payment_model::{Refund, RefundQueryResponse};

impl LookedUp {
    /// The service's answer, with what is stored: a refund never goes backwards on a screen.
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

    /// The look-up if it proves what is not in it, or what to tell staff.
    pub(super) fn proves(self) -> Result<Self, Problem> {
        if self.whole {
            return Ok(self);
        }
        let number = self.ledger.key.number.as_str();
        let detail = format!(
            "The payment service's list of the refunds of operation {number} is not complete, so nothing was done; try again."
        );
        Err(Problem::new(ProblemKind::RefundsUnknown, detail).retry_after(2))
    }
}

impl LookUpError {
    /// What staff are told; a failure of the store stays one.
    pub(crate) fn into_problem(self, key: &OperationKey) -> Result<Problem, DbError> {
        let error = match self {
            Self::Store(error) => return Err(error),
            Self::Service(ServiceError::Unauthorized) => return Ok(locked()),
            Self::Service(error) => Some(error),
            Self::Foreign => None,
        };
        let number = key.number.as_str();
        let detail = format!(
            "The refunds of operation {number} could not be looked up at the payment service, so nothing was done; try again."
        );
        let wait = error.and_then(|error| error.retry_after());
        let seconds = wait.map_or(2, |wait| wait.as_secs().max(1));
        Ok(Problem::new(ProblemKind::RefundsUnknown, detail).retry_after(seconds))
    }
}

/// The service does not let this server in.
pub(super) fn locked() -> Problem {
    let detail = "The payment service does not accept this server's access token, so nothing was done; whoever runs the server must renew PAYMENT_TOKEN.";
    Problem::new(ProblemKind::ServiceToken, detail).retry_after(30)
}
