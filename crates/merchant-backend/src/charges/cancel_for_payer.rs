//! Cancels unpaid operations. Payers never reverse a payment: the server asks the service first,
//! and leaves a paid operation alone.

use super::Charges;
use super::payment_attempt::SOON;
use super::query_result::Queried;
use super::send_cancellation::{CancellationResult, Wanted};
use crate::clock::now;
use crate::db::DbError;
use crate::payment_service::ServiceError;
use crate::shared_query::Freshness;
use payment_model::Timestamp;
use payment_rules::ledger::{EndCause, Purpose};
use payment_rules::operation::{OperationRecord, Taken};
use std::time::Duration;

/// How a cancellation ended.
pub(crate) enum Cancelled {
    /// The operation has ended without a payment, or its payment was given back.
    Ended(Box<OperationRecord>),
    /// It is paid.
    Paid(Box<OperationRecord>),
    /// The outcome is not certain yet.
    Unconfirmed(NotCancelled),
}

/// Why a cancellation is not confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotCancelled {
    /// The service has not answered the authorization.
    NotAuthorizedYet,
    /// The operation may be paid.
    StateUncertain,
    /// A part of its money is being given back.
    BeingGivenBack,
    /// The service refused, with this status; the operation can still be paid.
    Refused(u16),
    /// The service gave no usable answer, and nothing was sent; to be asked again after so
    /// long.
    Unavailable(Duration),
    /// A request was sent and not confirmed.
    Sent,
}

impl NotCancelled {
    /// How long to wait before asking again, if that helps.
    pub(crate) fn retry_after(self) -> Option<Duration> {
        match self {
            Self::NotAuthorizedYet => Some(Duration::from_secs(1)),
            Self::StateUncertain => Some(Duration::from_secs(5)),
            Self::Unavailable(wait) => Some(wait),
            Self::Sent => Some(Duration::from_secs(2)),
            Self::BeingGivenBack | Self::Refused(_) => None,
        }
    }
}

impl Charges {
    /// Cancels an operation for this cause. Run this as a task of its own, as authorizing.
    pub(crate) async fn cancel_unpaid(
        &self,
        record: OperationRecord,
        cause: EndCause,
    ) -> Result<Cancelled, DbError> {
        let asked_at = now();
        if record.transaction().is_none() {
            return Ok(Cancelled::Unconfirmed(NotCancelled::NotAuthorizedYet));
        }
        if let Some(paid) = paid(&record) {
            return Ok(paid);
        }
        let queried = match self.query(record, Freshness::New).await {
            Ok(queried) => queried,
            Err(error) => {
                let wait = error.retry_after()?;
                return Ok(Cancelled::Unconfirmed(NotCancelled::Unavailable(wait)));
            }
        };
        self.cancel_queried(queried, asked_at, cause).await
    }

    /// Cancels an operation right after a query of its state, for the caller who wanted it then.
    pub(super) async fn cancel_queried(
        &self,
        queried: Queried,
        asked_at: Timestamp,
        cause: EndCause,
    ) -> Result<Cancelled, DbError> {
        if let Some(ended) = ended(&queried.record) {
            return Ok(ended);
        }
        let waiting = queried
            .record
            .state()
            .is_some_and(|state| state.is_waiting());
        if !waiting || queried.taken != Some(Taken::Believed) {
            // To cancel an operation that may be paid would reverse a payment.
            return Ok(Cancelled::Unconfirmed(NotCancelled::StateUncertain));
        }
        self.cancel_waiting(queried, asked_at, cause).await
    }

    async fn cancel_waiting(
        &self,
        queried: Queried,
        asked_at: Timestamp,
        cause: EndCause,
    ) -> Result<Cancelled, DbError> {
        let wanted = Wanted {
            cause: Some(cause),
            window: queried.window,
            ..Wanted::new(Purpose::Cancel, asked_at)
        };
        let error = match self.send_cancellation(&queried.record.key, wanted).await? {
            CancellationResult::Known(record) => {
                if let Some(ended) = ended(&record) {
                    return Ok(ended);
                }
                ServiceError::Unreadable("a cancellation that ended nothing".to_owned())
            }
            CancellationResult::Failed(error) => error,
            CancellationResult::Fenced => {
                return Ok(Cancelled::Unconfirmed(NotCancelled::StateUncertain));
            }
            CancellationResult::InTheWay(_) | CancellationResult::OverLimit(_) => {
                return Ok(Cancelled::Unconfirmed(NotCancelled::BeingGivenBack));
            }
        };
        // The answer was lost, so the state tells whether the cancellation was carried out.
        match self.query(queried.record, Freshness::New).await {
            Ok(Queried { record, .. }) => Ok(ended(&record).unwrap_or_else(|| unconfirmed(&error))),
            Err(error) => {
                error.retry_after()?;
                Ok(unconfirmed(&ServiceError::Timeout))
            }
        }
    }
}

fn ended(record: &OperationRecord) -> Option<Cancelled> {
    let ended = || {
        record
            .outcome()
            .map(|_| Cancelled::Ended(Box::new(record.clone())))
    };
    paid(record).or_else(ended)
}

/// A payment that a request on its way may still give back is not certain yet.
fn paid(record: &OperationRecord) -> Option<Cancelled> {
    if record.is_held() {
        return Some(Cancelled::Unconfirmed(NotCancelled::StateUncertain));
    }
    record
        .is_paid()
        .then(|| Cancelled::Paid(Box::new(record.clone())))
}

fn unconfirmed(error: &ServiceError) -> Cancelled {
    Cancelled::Unconfirmed(match error {
        ServiceError::Refused { status, .. } => NotCancelled::Refused(*status),
        ServiceError::Unauthorized | ServiceError::Unreached | ServiceError::NotSent(_) => {
            NotCancelled::Unavailable(error.retry_after().unwrap_or(SOON))
        }
        _ => NotCancelled::Sent,
    })
}
