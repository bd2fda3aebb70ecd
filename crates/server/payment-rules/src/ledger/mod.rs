//! The rules for giving the money of one operation back, by any way. They have no input or output.
//!
//! ```text
//! reserve_refunds   a request of staff: all its refunds are allowed and reserved, or none
//! refund_attempts   sends a reserved refund once, and ends it
//! refund_list       the service's own list of refunds, which overrules what this server knows
//! manual_returns    money that staff give back by another way
//! reversals         requests to cancel an operation, each of which reserves its whole amount
//! release_doubts    a second person releases an amount whose outcome is unknown
//! balance           the sums of a ledger, and how much an account of staff may still give back
//! shop_refunds      the way of a refund that a program of the shop asks for
//! schedule          when to poll again
//! ```
//!
//! It knows neither HTTP requests nor how an attempt to pay begins, and only the names of staff.

mod balance;
#[cfg(any(test, feature = "fixtures"))]
#[allow(clippy::unwrap_used, reason = "only tests make these values")]
pub mod fixture;
mod manual_returns;
mod refund_attempts;
mod refund_list;
mod release_doubts;
mod reserve_refunds;
mod reversals;
mod schedule;
mod shop_refunds;

pub use balance::Balance;
pub use balance::{GivenBack, Limits};
pub use manual_returns::{
    NewReturn, ReturnEnd, ReturnEndError, ReturnError, ReturnRecord, ReturnStep,
};
pub use refund_attempts::{AttemptRecord, NewAttempt, Release, Requester};
pub use refund_list::{ATTEMPT_ID_FIELD, DeniedRefund, RefundRecord, is_complete};
pub use release_doubts::{AttemptReleaseError, ListProof, ReversalReleaseError};
pub use reserve_refunds::{NewRefund, ReserveRefundsOutcome, reserve_refunds};
pub use reversals::{EndCause, NewReversal, Purpose, ReserveReversalOutcome, ReversalRecord};
pub use schedule::{REFUND_LISTED_AFTER, RETURN_LISTED_AFTER};
pub use shop_refunds::{ByHandReason, NoRefundWay, RefundProgress, RefundWay, ShopRefund};

use crate::operation::{OperationKey, OperationRecord, REQUEST_MAY_ARRIVE_FOR};
use crate::outgoing::Progress;
use payment_model::{
    Outcome, PaymentMethodName, RefundRefusal, RefundType, Timestamp, TransactionId,
    TransactionState, check_refund,
};
use serde::{Deserialize, Serialize};
use staff_model::ReversalState;

/// True when an operation ended without a payment by a cancellation, or its payment was given back.
fn is_given_up(outcome: Option<Outcome>) -> bool {
    matches!(outcome, Some(Outcome::Cancelled | Outcome::Reversed))
}

/// All money of one operation that was given back, is reserved or may be on its way. Only this type
/// has all of it, so only it can decide how much is left.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    /// The operation whose money this is.
    pub key: OperationKey,
    /// The service's id of the transaction, once it is known.
    pub transaction_id: Option<TransactionId>,
    /// The payment method, which decides whether the service can refund.
    pub method: PaymentMethodName,
    /// The stored state of the transaction; `None` before the service named one.
    pub state: Option<TransactionState>,
    /// How it ended; `None` while that is not known.
    pub outcome: Option<Outcome>,
    /// The paid amount, in cents.
    pub amount: u64,
    /// The currency of all amounts.
    pub currency: String,
    /// The refund attempts through this server, the oldest first.
    pub attempts: Vec<AttemptRecord>,
    /// The service's refunds, in the order of their first appearance. None is removed, because a
    /// list without a refund may be older than the refund.
    pub refunds: Vec<RefundRecord>,
    /// Returns by hand, the oldest first.
    pub returns: Vec<ReturnRecord>,
    /// Requests to cancel the operation, the oldest first.
    pub reversals: Vec<ReversalRecord>,
    /// True while one answer reported a reversal, and no second one confirmed or denied it.
    pub reversal_reported: bool,
    /// True while an answer contradicts the stored state.
    pub contradicted: bool,
    /// True for an operation from before the last restore of the database, until staff have compared it with the
    /// payment service: it may have been paid or given back since the backup.
    pub awaits_comparison: bool,
    /// When the service's list of refunds is polled.
    pub watch: RefundPollPlan,
}

/// The plan of the polls of the service's list of refunds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RefundPollPlan {
    /// When the list is polled next; `None` for never.
    pub due_at: Option<Timestamp>,
    /// How many polls failed since the last success.
    pub failures: u32,
    /// When the last poll with a complete list began.
    pub complete_at: Option<Timestamp>,
}

/// The stored entries of one operation's ledger; empty for an operation without any.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerEntries {
    /// Refund attempts through this server, the oldest first.
    pub attempts: Vec<AttemptRecord>,
    /// Refunds of the service's lists, in the order of their first appearance.
    pub refunds: Vec<RefundRecord>,
    /// Returns by hand, the oldest first.
    pub returns: Vec<ReturnRecord>,
    /// Requests to cancel, the oldest first.
    pub reversals: Vec<ReversalRecord>,
    /// When the service's list of refunds is polled. The store keeps it beside the document.
    #[serde(skip)]
    pub watch: RefundPollPlan,
}

impl Ledger {
    /// The ledger of an operation with its stored entries.
    pub fn new(operation: &OperationRecord, entries: LedgerEntries) -> Self {
        let LedgerEntries {
            attempts,
            refunds,
            returns,
            reversals,
            watch,
        } = entries;
        Self {
            key: operation.key.clone(),
            transaction_id: operation.transaction_id().cloned(),
            method: operation.method.clone(),
            state: operation.state().cloned(),
            outcome: operation.outcome(),
            amount: operation.amount,
            currency: operation.currency.clone(),
            attempts,
            refunds,
            returns,
            reversals,
            reversal_reported: operation.reversal_seen_at.is_some(),
            contradicted: operation.contradiction.is_some(),
            awaits_comparison: false,
            watch,
        }
    }

    /// Its entries, as the store keeps them.
    pub fn entries(&self) -> LedgerEntries {
        LedgerEntries {
            attempts: self.attempts.clone(),
            refunds: self.refunds.clone(),
            returns: self.returns.clone(),
            reversals: self.reversals.clone(),
            watch: self.watch,
        }
    }

    /// True when its payment is in force.
    pub fn is_paid(&self) -> bool {
        self.outcome == Some(Outcome::Paid)
    }

    /// Copies the state of its operation. A cancellation or a reversal of the operation ends the
    /// request to cancel.
    pub fn follow(&mut self, record: &OperationRecord, now: Timestamp) {
        self.transaction_id = record.transaction_id().cloned();
        self.state = record.state().cloned();
        let was_given_up = is_given_up(self.outcome);
        let is_back = was_given_up && record.is_paid();
        self.outcome = record.outcome();
        self.reversal_reported = record.reversal_seen_at.is_some();
        self.contradicted = record.contradiction.is_some();
        if is_given_up(self.outcome) {
            if !was_given_up {
                self.overrule_refusal(now);
            }
            for own in self.reversals.iter_mut().filter(|own| own.is_pending()) {
                if own.state == ReversalState::Sending {
                    own.may_arrive_until = own.may_arrive_until.max(Some(own.may_run_until));
                }
                own.move_to(Progress::Done, "", now);
            }
        }
        if is_back {
            self.doubt_what_may_still_arrive(now);
        }
    }

    /// Takes the last request to cancel as carried out after all, since the operation ended as it asked soon after
    /// the service, or what lies before it, answered with a refusal.
    fn overrule_refusal(&mut self, now: Timestamp) {
        let refused = |own: &&mut ReversalRecord| {
            own.state == ReversalState::NotDone
                && own.service_status.is_some()
                && now.duration_since(own.changed_at) < REQUEST_MAY_ARRIVE_FOR
        };
        if let Some(own) = self.reversals.last_mut().filter(refused) {
            let detail = "the payment service carried it out, though it refused it";
            own.move_to(Progress::Done, detail, now);
        }
    }

    /// True while the service's answers disagree about the payment.
    pub fn is_disputed(&self) -> bool {
        self.reversal_reported || self.contradicted
    }

    /// The cents that can still be given back: none during or after a reversal.
    pub fn left(&self) -> u64 {
        let pending = self.pending_reversal().is_some();
        if pending || self.is_disputed() || self.outcome == Some(Outcome::Reversed) {
            return 0;
        }
        self.amount.saturating_sub(self.balance().gone())
    }

    /// The cents that staff can give back now: none before the payment.
    pub fn refundable(&self) -> u64 {
        if self.is_paid() { self.left() } else { 0 }
    }

    /// Why the operation was cancelled, if a request of this server cancelled it. The last request
    /// counts.
    pub fn end_cause(&self) -> Option<EndCause> {
        self.reversals
            .iter()
            .rev()
            .find_map(ReversalRecord::end_cause)
    }

    /// True when an attempt reduces the refundable amount without being in the service's list.
    pub(super) fn is_unseen(&self, attempt: &AttemptRecord) -> bool {
        let registered = attempt.state == staff_model::AttemptState::Registered;
        attempt.is_pending() || (registered && self.refund_of(attempt).is_none())
    }

    /// Checks a refund of this amount against the rules.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check(&self, kind: &RefundType, asked: u64) -> Result<(), RefundRefusal> {
        let state = self.state.clone().unwrap_or_default();
        check_refund(&state, &self.method, kind, asked, self.amount, self.left())
    }
}

#[cfg(test)]
mod tests;
