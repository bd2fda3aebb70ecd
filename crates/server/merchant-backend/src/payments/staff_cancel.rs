//! Staff cancel an unpaid operation, or reverse a payment that is not settled.
//!
//! The server asks the service for the state first. The whole amount is reserved in the ledger, within
//! the limits of the account, before the request leaves; the reservation ends with the answer, with the
//! state that a later query brings, or by two members of staff.

use super::Payments;
use super::errors::StaffCancelError;
use super::keys::HeldClaim;
use super::query::QueryError;
use super::send_cancellation::{Cancellation, CancellationOutcome};
use crate::clock::now;
use crate::db::DbError;
use crate::payment_service::ServiceError;
use crate::send_window::SendWindow;
use crate::single_flight::Freshness;
use payment_model::{Outcome, Timestamp, TransactionState};
use payment_rules::ledger::{Limits, Purpose};
use payment_rules::operation::{OperationRecord, Phase};
use payment_rules::staff::AuditRecord;
use staff_model::{AuditAction, AuditFacts, AuditStep, Intent};

/// A request to cancel or to reverse.
pub(crate) struct StaffCancelCommand {
    pub(crate) intent: Intent,
    /// The name of the account, or the requester of a store's programs.
    pub(crate) staff: String,
    /// The claim of the request's idempotency key, if a program of the shop sent it.
    pub(crate) claim: Option<HeldClaim>,
    pub(crate) limits: Limits,
}

impl Payments {
    /// Cancels or reverses an operation for a member of staff; the request and its result are on record, a refusal by its
    /// word. Run this as a task of its own.
    pub(crate) async fn cancel_on_record(
        &self,
        record: OperationRecord,
        command: StaffCancelCommand,
        word: fn(&StaffCancelError) -> &'static str,
    ) -> Result<Result<OperationRecord, StaffCancelError>, DbError> {
        let (name, key) = (command.staff.clone(), record.key.clone());
        let action = match command.intent {
            Intent::Cancel => AuditAction::Cancel,
            Intent::Reverse => AuditAction::Reverse,
        };
        let put = async |step, state: Option<&TransactionState>, problem: Option<&str>| {
            let facts = AuditFacts {
                state: state.cloned(),
                problem: problem.map(str::to_owned),
                ..AuditFacts::new(step)
            };
            let act = AuditRecord::of_facts(&name, action.clone(), &key, &facts);
            self.db.audit(&act).await
        };
        put(AuditStep::Asked, record.state(), None).await?;
        let done = self.cancel_for_staff(record, command).await?;
        match &done {
            Ok(record) => put(AuditStep::Done, record.state(), None).await?,
            Err(error) => put(AuditStep::NotDone, None, Some(word(error))).await?,
        }
        Ok(done)
    }

    /// Cancels or reverses an operation: asks the service for its state first, and returns the
    /// state that the service confirmed. Run this as a task of its own.
    pub(super) async fn cancel_for_staff(
        &self,
        record: OperationRecord,
        command: StaffCancelCommand,
    ) -> Result<Result<OperationRecord, StaffCancelError>, DbError> {
        let asked_at = now();
        let (record, window) = if record.transaction().is_some() {
            match self.query(record, Freshness::New).await {
                // An operation whose answer was not believed may be paid, or may belong to another
                // order.
                Ok(queried) if queried.is_confirmed() => (queried.record, queried.window),
                Ok(queried) if queried.record.is_disputed() => {
                    return Ok(Err(StaffCancelError::Disputed));
                }
                Ok(queried) => {
                    return Ok(Err(StaffCancelError::Mismatch(
                        queried.record.answer_mismatch.map(|found| found.detail),
                    )));
                }
                Err(QueryError::Database(error)) => return Err(error),
                Err(error) => return Ok(Err(StaffCancelError::StateNotKnown(error.of_service()))),
            }
        } else {
            (record, SendWindow::open())
        };
        if let Some(problem) = refusal(&record, command.intent) {
            return Ok(Err(problem));
        }
        if record
            .outcome()
            .is_some_and(|outcome| outcome != Outcome::Paid)
        {
            // It has ended already, as the command wants.
            return Ok(Ok(record));
        }
        let given_back = self.db.given_back_by(&command.staff, &record.key).await?;
        let left = command.limits.left(given_back, 0);
        if let Some(problem) = over_limit(&record, left) {
            return Ok(Err(problem));
        }
        self.cancel_or_reverse(record, command, left, asked_at, window)
            .await
    }
}

/// A reversal gives the whole payment back; a cancellation of an operation that cannot
/// have been paid gives nothing back.
fn over_limit(record: &OperationRecord, left: u64) -> Option<StaffCancelError> {
    let paid = record.amount;
    // An operation that may not be cancelled as unpaid may be paid.
    let may_be_paid = refusal(record, Intent::Cancel).is_some();
    (paid > left && may_be_paid).then_some(StaffCancelError::OverLimit { left, paid })
}

/// The reason to send nothing, if there is one.
fn refusal(record: &OperationRecord, intent: Intent) -> Option<StaffCancelError> {
    match (record.state(), record.phase) {
        (Some(TransactionState::Settled), _) => Some(StaffCancelError::Settled),
        _ if record.is_paid() && intent == Intent::Cancel => Some(StaffCancelError::Paid),
        (Some(state), _) if record.outcome().is_none() && !state.is_waiting() => {
            Some(StaffCancelError::StateUnknown(state.clone()))
        }
        (None, Phase::Refused | Phase::Lost) => Some(StaffCancelError::NeverAuthorized),
        (None, Phase::Sending) => Some(StaffCancelError::Authorizing),
        (None, _) if !record.is_shown_by_us() && intent == Intent::Cancel => {
            Some(StaffCancelError::CodeMayBeOut)
        }
        _ => None,
    }
}

impl Payments {
    async fn cancel_or_reverse(
        &self,
        record: OperationRecord,
        command: StaffCancelCommand,
        left: u64,
        asked_at: Timestamp,
        window: SendWindow,
    ) -> Result<Result<OperationRecord, StaffCancelError>, DbError> {
        let intent = command.intent;
        let is_done = |record: &OperationRecord| {
            let outcome = record.outcome();
            outcome.is_some_and(|outcome| outcome != Outcome::Paid)
        };
        let cancellation = Cancellation {
            purpose: match intent {
                // A payment that arrives meanwhile is more than this account may give back.
                Intent::Reverse if record.amount > left => Purpose::Cancel,
                Intent::Reverse => Purpose::Reverse,
                Intent::Cancel => Purpose::Cancel,
            },
            staff: Some(command.staff),
            claim: command.claim,
            cause: None,
            limits: command.limits,
            asked_at,
            window,
        };
        let error = match self.send_cancellation(&record.key, cancellation).await? {
            CancellationOutcome::Known(record) if is_done(&record) => return Ok(Ok(*record)),
            CancellationOutcome::Known(_) => {
                ServiceError::Unreadable("a cancellation that ended nothing".to_owned())
            }
            CancellationOutcome::Failed(error) => error,
            CancellationOutcome::Fenced => return Ok(Err(StaffCancelError::Restored)),
            CancellationOutcome::OverLimit(left) => {
                let paid = record.amount;
                return Ok(Err(StaffCancelError::OverLimit { left, paid }));
            }
            CancellationOutcome::MoneyPending(balance) => {
                return Ok(Err(StaffCancelError::GivenBack(balance)));
            }
        };
        if record.transaction().is_none() {
            return Ok(Err(StaffCancelError::Unconfirmed(error)));
        }
        // The answer was lost, so the state tells whether the request was carried out.
        match self.query(record, Freshness::New).await {
            Ok(queried) if is_done(&queried.record) => Ok(Ok(queried.record)),
            Ok(queried) => {
                Ok(Err(refusal(&queried.record, intent)
                    .unwrap_or(StaffCancelError::Unconfirmed(error))))
            }
            Err(_) => Ok(Err(StaffCancelError::Unconfirmed(error))),
        }
    }
}
