//! Cancelling and reversing, as staff may.

use super::Charges;
use super::query::Freshness;
use super::send_cancellation::{Wanted, Withdrawn};
use super::service_trouble::{not_known, unconfirmed};
use crate::clock::{Millis, now};
use crate::db::DbError;
use crate::domain::ledger::{Balance, Purpose};
use crate::domain::operation::{OperationRecord, Phase, Taken};
use crate::http::problem::{Problem, ProblemKind};
use crate::service::ServiceError;
use payment_model::{Outcome, TransactionState};

/// What somebody wants to happen to an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intent {
    /// That nobody can pay it any more; if it turns out to be paid, nothing.
    Cancel,
    /// That its payment is given back; if nobody has paid it, that nobody can.
    Reverse,
}

/// The wish of a member of staff.
pub(crate) struct CancelWanted {
    pub(crate) intent: Intent,
    pub(crate) staff: String,
    /// The most that the account may give back at once, in cents.
    pub(crate) limit: Option<u64>,
}

impl Charges {
    /// Cancels or reverses an operation: asks the service for its state first, and says afterwards
    /// what the service confirmed. Run this as a task of its own.
    pub(crate) async fn cancel_for_staff(
        &self,
        record: OperationRecord,
        wanted: CancelWanted,
    ) -> Result<Result<OperationRecord, Problem>, DbError> {
        let asked_at = now();
        let record = if record.transaction().is_some() {
            match self.query(record, Freshness::New).await {
                // What was not believed may be paid, or may be somebody else's.
                Ok(queried) if queried.taken == Some(Taken::Believed) => queried.record,
                Ok(queried) => return Ok(Err(mismatched(&queried.record))),
                Err(error) => return not_known(error),
            }
        } else {
            record
        };
        if let Some(problem) = refusal(&record, wanted.intent) {
            return Ok(Err(problem));
        }
        if record
            .outcome()
            .is_some_and(|outcome| outcome != Outcome::Paid)
        {
            // It has ended already, as was wanted.
            return Ok(Ok(record));
        }
        if let Some(problem) = over_limit(&record, &wanted) {
            return Ok(Err(problem));
        }
        self.cancel_or_reverse(record, wanted, asked_at).await
    }
}

/// A reversal gives all of the payment back; one of what nobody can have paid gives nothing.
fn over_limit(record: &OperationRecord, wanted: &CancelWanted) -> Option<Problem> {
    let limit = wanted.limit.filter(|limit| record.amount > *limit)?;
    // An operation that a cancellation would not touch either may be paid.
    refusal(record, Intent::Cancel)?;
    let detail = format!(
        "This account may give back at most {limit} cents at once, and the payment is of {} cents; nothing was sent.",
        record.amount
    );
    let problem = Problem::new(ProblemKind::ReversalRefused, detail);
    let problem = problem.with("reason", "over_limit").with("limit", limit);
    Some(problem.with("paid", record.amount))
}

/// A reversal gives the whole back, and a part of it is given back or may be.
fn in_the_way(balance: Balance) -> Problem {
    let detail = format!(
        "A reversal gives back the whole payment of {} cents, of which {} cents were given back, {} cents are reserved or on their way, and {} cents are perhaps given back; nothing was sent.",
        balance.paid, balance.given_back, balance.reserved, balance.unknown
    );
    Problem::new(ProblemKind::ReversalRefused, detail)
        .with("reason", "given_back")
        .with("paid", balance.paid)
        .with("given_back", balance.given_back)
        .with("reserved", balance.reserved)
        .with("unknown", balance.unknown)
}

/// Why nothing is to be sent, if so.
fn refusal(record: &OperationRecord, intent: Intent) -> Option<Problem> {
    let state = record.state();
    let problem = |kind, detail: &'static str| {
        let state = state.map(|state| state.as_str());
        Some(Problem::new(kind, detail).with("state", state))
    };
    match (state, record.phase) {
        (Some(TransactionState::Settled), _) => problem(
            ProblemKind::OperationSettled,
            "The payment is settled, so it cannot be reversed; refund it, or record a return where the method cannot be refunded.",
        ),
        _ if record.is_paid() && intent == Intent::Cancel => problem(
            ProblemKind::OperationPaid,
            "The operation is paid by now, so nothing was sent; reverse it if the payment is to be given back.",
        ),
        (Some(state), _) if record.outcome().is_none() && !state.is_waiting() => problem(
            ProblemKind::CannotCancelNow,
            "The payment service tells a state that is not known here, so nothing was sent; ask again later.",
        ),
        (None, Phase::Refused | Phase::Lost) => problem(
            ProblemKind::CannotCancelNow,
            "The payment service never had this operation; there is nothing to cancel.",
        ),
        (None, Phase::Sending) => problem(
            ProblemKind::CannotCancelNow,
            "The authorization is on its way; ask again in a moment.",
        ),
        // A code that nobody here has seen may have reached the payer by another way.
        (None, _) if !record.is_shown_by_us() && intent == Intent::Cancel => problem(
            ProblemKind::CannotCancelNow,
            "Whether the payer has its code is unknown, and with it whether it is paid; reverse it if a payment is to be given back too.",
        ),
        _ => None,
    }
}

fn mismatched(record: &OperationRecord) -> Problem {
    let detail = "What the payment service answered is not this order's amount, currency or number, so nothing was sent.";
    Problem::new(ProblemKind::CannotCancelNow, detail).with("mismatch", record.mismatch.as_deref())
}

impl Charges {
    async fn cancel_or_reverse(
        &self,
        record: OperationRecord,
        wanted: CancelWanted,
        asked_at: Millis,
    ) -> Result<Result<OperationRecord, Problem>, DbError> {
        let intent = wanted.intent;
        let is_done = |record: &OperationRecord| {
            let outcome = record.outcome();
            outcome.is_some_and(|outcome| outcome != Outcome::Paid)
        };
        let withdrawal = Wanted {
            purpose: match intent {
                // A payment that lands meanwhile is more than this account may give back.
                Intent::Reverse if wanted.limit.is_some_and(|limit| record.amount > limit) => {
                    Purpose::Cancel
                }
                Intent::Reverse => Purpose::Reverse,
                Intent::Cancel => Purpose::Cancel,
            },
            staff: Some(wanted.staff),
            asked_at,
        };
        let error = match self.send_cancellation(&record.key, withdrawal).await? {
            Withdrawn::Known(record) if is_done(&record) => return Ok(Ok(*record)),
            Withdrawn::Known(_) => {
                ServiceError::Unreadable("a cancellation that ended nothing".to_owned())
            }
            Withdrawn::Failed(error) => error,
            Withdrawn::InTheWay(balance) => return Ok(Err(in_the_way(balance))),
        };
        if record.transaction().is_none() {
            return Ok(Err(unconfirmed(&error)));
        }
        // Whether it was done decides the state, not the answer that was lost.
        match self.query(record, Freshness::New).await {
            Ok(queried) if is_done(&queried.record) => Ok(Ok(queried.record)),
            Ok(queried) => Ok(Err(
                refusal(&queried.record, intent).unwrap_or_else(|| unconfirmed(&error))
            )),
            Err(_) => Ok(Err(unconfirmed(&error))),
        }
    }
}
