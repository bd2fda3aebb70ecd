//! Cancelling what was not paid. Payers never reverse a payment: the service is asked first,
//! and a paid operation is left alone.

use super::Charges;
use super::query::{Freshness, Queried};
use super::retries::unavailable;
use super::send_cancellation::{Wanted, Withdrawn};
use crate::clock::{Millis, now};
use crate::db::DbError;
use crate::domain::ledger::Purpose;
use crate::domain::operation::{OperationRecord, Taken};
use crate::http::problem::{Problem, ProblemKind};
use crate::service::ServiceError;

/// How a cancellation ended.
pub(crate) enum Cancelled {
    /// The operation has ended without a payment, or its payment was given back.
    Ended(Box<OperationRecord>),
    /// It is paid.
    Paid(Box<OperationRecord>),
    /// Nobody can say yet.
    Unconfirmed(Problem),
}

impl Charges {
    /// Cancels an operation. Run this as a task of its own, as authorizing.
    pub(crate) async fn cancel_for_payer(
        &self,
        record: OperationRecord,
    ) -> Result<Cancelled, DbError> {
        let asked_at = now();
        if record.transaction().is_none() {
            let detail = "The payment service has not answered for this operation yet; ask again.";
            let problem = Problem::new(ProblemKind::CannotCancelNow, detail).retry_after(1);
            return Ok(Cancelled::Unconfirmed(problem));
        }
        if record.is_paid() {
            return Ok(Cancelled::Paid(Box::new(record)));
        }
        let queried = match self.query(record, Freshness::New).await {
            Ok(queried) => queried,
            Err(error) => return Ok(Cancelled::Unconfirmed(error.into_problem()?)),
        };
        self.cancel_queried(queried, asked_at).await
    }

    /// Cancels an operation that was just asked about, for somebody who wanted it then.
    pub(super) async fn cancel_queried(
        &self,
        queried: Queried,
        asked_at: Millis,
    ) -> Result<Cancelled, DbError> {
        if let Some(ended) = ended(&queried.record) {
            return Ok(ended);
        }
        let waiting = queried
            .record
            .state()
            .is_some_and(|state| state.is_waiting());
        if !waiting || queried.taken != Some(Taken::Believed) {
            // Cancelling what might be paid would reverse a payment.
            let detail = "The state of this payment is still being confirmed, so it cannot be cancelled now; ask again.";
            let problem = Problem::new(ProblemKind::CannotCancelNow, detail).retry_after(5);
            return Ok(Cancelled::Unconfirmed(problem));
        }
        self.cancel_waiting(queried, asked_at).await
    }

    async fn cancel_waiting(
        &self,
        queried: Queried,
        asked_at: Millis,
    ) -> Result<Cancelled, DbError> {
        let wanted = Wanted::new(Purpose::Cancel, asked_at);
        let error = match self.send_cancellation(&queried.record.key, wanted).await? {
            Withdrawn::Known(record) => {
                if let Some(ended) = ended(&record) {
                    return Ok(ended);
                }
                ServiceError::Unreadable("a cancellation that ended nothing".to_owned())
            }
            Withdrawn::Failed(error) => error,
            Withdrawn::InTheWay(_) => {
                let detail = "Money of this operation is being given back, so it cannot be cancelled now; ask the shop.";
                let problem = Problem::new(ProblemKind::CannotCancelNow, detail);
                return Ok(Cancelled::Unconfirmed(problem));
            }
        };
        // Whether it was done decides the state, not the answer that was lost.
        match self.query(queried.record, Freshness::New).await {
            Ok(Queried { record, .. }) => Ok(ended(&record).unwrap_or_else(|| unconfirmed(&error))),
            Err(error) => {
                let _ = error.into_problem()?;
                Ok(unconfirmed(&ServiceError::Timeout))
            }
        }
    }
}

fn ended(record: &OperationRecord) -> Option<Cancelled> {
    let boxed = || Box::new(record.clone());
    if record.is_paid() {
        return Some(Cancelled::Paid(boxed()));
    }
    record.outcome().map(|_| Cancelled::Ended(boxed()))
}

fn unconfirmed(error: &ServiceError) -> Cancelled {
    Cancelled::Unconfirmed(match error {
        ServiceError::Refused { status, .. } => Problem::new(
            ProblemKind::CannotCancelNow,
            "The payment service did not cancel this operation; it can still be paid.",
        )
        .with("service_status", *status),
        ServiceError::Unauthorized | ServiceError::NotSent(_) => unavailable(error.retry_after()),
        _ => Problem::new(
            ProblemKind::CancelUnconfirmed,
            "The cancellation was sent, but the payment service did not confirm it; ask for the state before paying again.",
        )
        .retry_after(2),
    })
}
