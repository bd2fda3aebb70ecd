//! A second member of staff releases what stays unknown: the amount of a refund attempt, after a complete
//! list without it; the amount of a reversal, after a state of the operation that does not end it; an order
//! that its live operation blocks. One member of staff resolves an exception by hand.

use super::Payments;
use super::errors::RefundsUnknownError;
use super::query::QueryError;
use crate::clock::{now, reading};
use crate::db::{DbError, OperationPage};
use crate::payment_service::ServiceError;
use crate::single_flight::Freshness;
use payment_rules::ledger::{AttemptReleaseError, ListProof, Release, ReversalReleaseError};
use payment_rules::operation::{OperationKey, Verdict};
use payment_rules::payment::{BlockReleaseOutcome, Order};
use payment_rules::staff::AuditRecord;
use staff_model::{AuditAction, ExceptionKind, RefundAttempt, ResolveException, Reversal};

/// A request to release the amount of a refund attempt or of a reversal.
pub(crate) struct ReleaseCommand {
    pub(crate) key: OperationKey,
    /// The id of the attempt or of the reversal.
    pub(crate) id: String,
    pub(crate) staff: String,
    pub(crate) reason: String,
}

/// Why an amount is not released.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ReleaseError {
    Unknown(RefundsUnknownError),
    /// The service could not be asked for the operation's state.
    StateNotKnown(ServiceError),
    Refund(AttemptReleaseError),
    Reversal(ReversalReleaseError),
    Database(DbError),
}

impl From<RefundsUnknownError> for ReleaseError {
    fn from(error: RefundsUnknownError) -> Self {
        Self::Unknown(error)
    }
}

impl From<DbError> for ReleaseError {
    fn from(error: DbError) -> Self {
        Self::Database(error)
    }
}

/// What became of the request to resolve an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resolved {
    Done,
    /// What is unknown or under way cannot be resolved by hand.
    StaysListed,
}

impl ReleaseCommand {
    fn release(&self) -> Release {
        Release {
            by: self.staff.clone(),
            at: now(),
            reason: self.reason.clone(),
        }
    }
}

impl Payments {
    /// Releases an order that a live operation blocks, or asks a second member of staff for it.
    pub(crate) async fn release_block(
        &self,
        key: &OperationKey,
        staff: &str,
        reason: &str,
    ) -> Result<BlockReleaseOutcome, DbError> {
        let release = |order: &mut Order| order.release_block(key, staff, reason, now());
        Ok(self.update(key, release).await?.1)
    }

    /// Takes an exception off the list of staff, as far as it is still on it: another member of staff may have
    /// resolved it already. That of an operation without a usable answer also ends its watch.
    pub(crate) async fn resolve_exception(
        &self,
        page: OperationPage,
        wanted: &ResolveException,
        staff: &str,
    ) -> Result<Resolved, DbError> {
        if !page.payment.ledger.can_resolve(wanted.kind) {
            return Ok(Resolved::StaysListed);
        }
        let mut listed = page.exceptions.into_iter();
        let Some(found) = listed.find(|found| found.kind == wanted.kind) else {
            return Ok(Resolved::Done);
        };
        let key = &page.payment.operation.key;
        let record = AuditRecord {
            staff: staff.to_owned(),
            action: AuditAction::Resolve,
            key: Some(key.clone()),
            detail: format!("{}: {}", wanted.kind.as_str(), wanted.reason),
        };
        let end_watch = |order: &mut Order| order.end_watch(key, record.clone(), now());
        let ends_watch =
            wanted.kind == ExceptionKind::Unanswered && self.update(key, end_watch).await?.1;
        if !ends_watch {
            let resolve = self.db.resolve(key, wanted, found.since, &record, now());
            resolve.await?;
        }
        Ok(Resolved::Done)
    }

    /// Releases a refund attempt that is missing in the service's complete list.
    pub(crate) async fn release_refund_attempt(
        &self,
        command: &ReleaseCommand,
    ) -> Result<RefundAttempt, ReleaseError> {
        let key = &command.key;
        let list = self.complete_refunds::<ReleaseError>(key).await?;
        let proof = ListProof {
            began: list.began,
            may_run_for: self.settings.release_after,
        };
        let (_, released) = self
            .update(key, |order| {
                let release = command.release();
                order.release_refund_attempt(key, &command.id, release, proof, reading())
            })
            .await?;
        let released = released.map_err(ReleaseError::Refund)?;
        Ok(released.shown())
    }

    /// Asks for the operation's state, and releases a reversal in doubt if that state does not end it.
    pub(crate) async fn release_reversal(
        &self,
        command: &ReleaseCommand,
    ) -> Result<Reversal, ReleaseError> {
        let key = &command.key;
        let record = self.operation(key).await?;
        // Without a transaction the server cannot ask.
        if record.transaction().is_some() {
            match self.query(record, Freshness::New).await {
                Ok(queried) if queried.taken.is_some_and(Verdict::tells_state) => {}
                Ok(_) => {
                    let error = ServiceError::Unreadable(
                        "not the operation's, or contradictory".to_owned(),
                    );
                    return Err(ReleaseError::StateNotKnown(error));
                }
                Err(QueryError::Database(error)) => return Err(error.into()),
                Err(error) => return Err(ReleaseError::StateNotKnown(error.of_service())),
            }
        }
        let (_, released) = self
            .update(key, |order| {
                order.release_reversal(key, &command.id, command.release(), reading())
            })
            .await?;
        let released = released.map_err(ReleaseError::Reversal)?;
        Ok(released.shown())
    }
}
