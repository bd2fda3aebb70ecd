//! Cancels unpaid operations for payers and for the server itself. Payers never reverse a payment: the
//! server asks the service for the state first, and does not touch a paid operation.
//!
//! The whole amount is reserved in the ledger before the request leaves, since the request gives back a
//! payment that arrives meanwhile. The reservation ends with the answer, with the state that a later query
//! brings, or when a second member of staff releases it.
//!
//! A program of the shop closes an order in the same way: no attempt to pay begins any more, and the code that can be
//! paid is cancelled as a payer would. What cannot be ended now is ended by the background.

use super::query::Queried;
use super::send_cancellation::{Cancellation, CancellationOutcome};
use super::{DEFAULT_RETRY_AFTER, Payments};
use crate::clock::now;
use crate::db::DbError;
use crate::payment_service::ServiceError;
use crate::single_flight::Freshness;
use payment_model::Timestamp;
use payment_rules::ledger::{EndCause, Purpose};
use payment_rules::operation::{OperationRecord, Verdict};
use payment_rules::order::FullOrderId;
use payment_rules::payment::OrderOutcome;
use payment_rules::staff::AuditRecord;
use staff_model::AuditAction;
use std::time::Duration;

/// How a cancellation ended.
pub(crate) enum CancelOutcome {
    /// The operation has ended without a payment, or its payment was given back.
    Ended(Box<OperationRecord>),
    /// It is paid.
    Paid(Box<OperationRecord>),
    /// The outcome is not certain yet.
    Unconfirmed(CancelError),
}

/// Why a cancellation is not confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CancelError {
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

impl CancelError {
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

impl Payments {
    /// Cancels an operation for this cause. Run this as a task of its own: it must not end with the
    /// request that began it.
    pub(crate) async fn cancel_unpaid(
        &self,
        record: OperationRecord,
        cause: EndCause,
    ) -> Result<CancelOutcome, DbError> {
        let asked_at = now();
        if record.transaction().is_none() {
            return Ok(CancelOutcome::Unconfirmed(CancelError::NotAuthorizedYet));
        }
        if let Some(paid) = paid(&record) {
            return Ok(paid);
        }
        let queried = match self.query(record, Freshness::New).await {
            Ok(queried) => queried,
            Err(error) => {
                let wait = error.retry_after()?;
                return Ok(CancelOutcome::Unconfirmed(CancelError::Unavailable(wait)));
            }
        };
        self.cancel_queried(queried, asked_at, cause).await
    }

    /// Cancels an operation right after a query of its state. A request to cancel that left since
    /// `asked_at` is shared.
    pub(super) async fn cancel_queried(
        &self,
        queried: Queried,
        asked_at: Timestamp,
        cause: EndCause,
    ) -> Result<CancelOutcome, DbError> {
        if let Some(ended) = ended(&queried.record) {
            return Ok(ended);
        }
        let waiting = queried
            .record
            .state()
            .is_some_and(|state| state.is_waiting());
        if !waiting || queried.taken != Some(Verdict::Believed) {
            // To cancel an operation that may be paid would reverse a payment.
            return Ok(CancelOutcome::Unconfirmed(CancelError::StateUncertain));
        }
        self.cancel_waiting(queried, asked_at, cause).await
    }

    async fn cancel_waiting(
        &self,
        queried: Queried,
        asked_at: Timestamp,
        cause: EndCause,
    ) -> Result<CancelOutcome, DbError> {
        let cancellation = Cancellation {
            cause: Some(cause),
            window: queried.window,
            ..Cancellation::new(Purpose::Cancel, asked_at)
        };
        let sent = self.send_cancellation(&queried.record.key, cancellation);
        let error = match sent.await? {
            CancellationOutcome::Known(record) => {
                if let Some(ended) = ended(&record) {
                    return Ok(ended);
                }
                ServiceError::Unreadable("a cancellation that ended nothing".to_owned())
            }
            CancellationOutcome::Failed(error) => error,
            CancellationOutcome::Fenced => {
                return Ok(CancelOutcome::Unconfirmed(CancelError::StateUncertain));
            }
            CancellationOutcome::MoneyPending(_) | CancellationOutcome::OverLimit(_) => {
                return Ok(CancelOutcome::Unconfirmed(CancelError::BeingGivenBack));
            }
        };
        // The state tells whether the cancellation was carried out.
        match self.query(queried.record, Freshness::New).await {
            Ok(Queried { record, .. }) => Ok(ended(&record).unwrap_or_else(|| unconfirmed(&error))),
            Err(error) => {
                error.retry_after()?;
                Ok(unconfirmed(&ServiceError::Timeout))
            }
        }
    }
}

fn ended(record: &OperationRecord) -> Option<CancelOutcome> {
    let ended = || {
        record
            .outcome()
            .map(|_| CancelOutcome::Ended(Box::new(record.clone())))
    };
    paid(record).or_else(ended)
}

/// A payment that a request on its way may still give back is not certain yet.
fn paid(record: &OperationRecord) -> Option<CancelOutcome> {
    if record.is_held() {
        return Some(CancelOutcome::Unconfirmed(CancelError::StateUncertain));
    }
    record
        .is_paid()
        .then(|| CancelOutcome::Paid(Box::new(record.clone())))
}

fn unconfirmed(error: &ServiceError) -> CancelOutcome {
    CancelOutcome::Unconfirmed(match error {
        ServiceError::Refused { status, .. } => CancelError::Refused(*status),
        ServiceError::Unauthorized | ServiceError::Unreached | ServiceError::NotSent(_) => {
            CancelError::Unavailable(error.retry_after().unwrap_or(DEFAULT_RETRY_AFTER))
        }
        _ => CancelError::Sent,
    })
}

/// How far the closing of an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CloseOutcome {
    /// No payment is in force and none is under way. With `given_back`, a payment was given back: maybe one that
    /// came while the code was being cancelled.
    Closed { given_back: bool },
    /// A payment may still arrive.
    Closing,
    /// A payment is in force.
    Paid,
}

impl Payments {
    /// Closes an order, which need not be known yet, and puts that on record. Run this as a task of its own.
    pub(crate) async fn close_order(
        &self,
        key: &FullOrderId,
        closed_by: &str,
        action: AuditAction,
    ) -> Result<CloseOutcome, DbError> {
        let record = AuditRecord {
            staff: closed_by.to_owned(),
            action,
            key: None,
            detail: format!("order {}: closed", key.order_id),
        };
        self.db.audit(&record).await?;
        self.db.close_order(key, closed_by).await?;
        let Some(order) = self.db.order_with_payments(key).await? else {
            // A restore may have lost the order with its payment.
            let is_known = self.db.fence().await?.is_none();
            return Ok(if is_known {
                CloseOutcome::Closed { given_back: false }
            } else {
                CloseOutcome::Closing
            });
        };
        for payment in order.payments {
            let waits = payment
                .operation
                .state()
                .is_some_and(|state| state.is_waiting());
            if waits {
                self.cancel_unpaid(payment.operation, EndCause::Staff)
                    .await?;
            }
        }
        let order = self.db.order_with_payments(key).await?;
        Ok(match order.map(|order| order.summary(now())) {
            Some(summary) if summary.outcome == OrderOutcome::Paid => CloseOutcome::Paid,
            Some(summary) if summary.payment_may_come => CloseOutcome::Closing,
            summary => CloseOutcome::Closed {
                given_back: summary.is_some_and(|one| one.outcome == OrderOutcome::Reversed),
            },
        })
    }
}
