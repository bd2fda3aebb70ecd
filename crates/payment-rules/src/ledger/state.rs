use super::manual_return_record::ReturnRecord;
use super::refund_attempt_record::AttemptRecord;
use super::refund_record::RefundRecord;
use super::reversal_record::{EndCause, ReversalRecord};
use crate::operation::{OperationKey, OperationRecord};
use crate::planted::{Mistake, planted};
use payment_model::{
    Outcome, PaymentMethodName, RefundRefusal, RefundType, Timestamp, TransactionId,
    TransactionState, check_refund,
};
use staff_model::ReversalState;

/// True when an operation ended without a payment by a cancellation, or its payment was given back.
pub(super) fn is_given_up(outcome: Option<Outcome>) -> bool {
    matches!(outcome, Some(Outcome::Cancelled | Outcome::Reversed))
}

/// All money of one operation that was given back, requested or may be on its way. No other type
/// has all of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    pub key: OperationKey,
    pub transaction_id: Option<TransactionId>,
    pub method: PaymentMethodName,
    pub state: Option<TransactionState>,
    /// How it ended; `None` while that is not known.
    pub outcome: Option<Outcome>,
    /// The paid amount, in cents.
    pub amount: u64,
    pub currency: String,
    /// The attempts through this server, the oldest first.
    pub attempts: Vec<AttemptRecord>,
    /// The service's refunds, in the order of their first appearance. None is ever removed: a list
    /// without a refund may be an old one.
    pub refunds: Vec<RefundRecord>,
    /// Returns by hand, the oldest first.
    pub returns: Vec<ReturnRecord>,
    /// Requests to cancel the operation, the oldest first.
    pub reversals: Vec<ReversalRecord>,
    /// True while one answer reported a reversal, and no second one confirmed or denied it.
    pub reversal_reported: bool,
    /// True while an answer contradicts the stored state.
    pub contradicted: bool,
    pub watch: Watch,
}

/// The plan of the look-ups of the service's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Watch {
    pub due_at: Option<Timestamp>,
    /// How many looks failed since one succeeded.
    pub failures: u32,
    /// When a look began whose list was whole.
    pub whole_at: Option<Timestamp>,
}

/// The stored entries of one operation's ledger; an operation without any has the default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LedgerEntries {
    pub attempts: Vec<AttemptRecord>,
    pub refunds: Vec<RefundRecord>,
    pub returns: Vec<ReturnRecord>,
    pub reversals: Vec<ReversalRecord>,
    pub watch: Watch,
}

impl Ledger {
    /// The ledger of an operation with these entries, each kind in the order of its field.
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
            watch,
        }
    }

    /// True when its payment is in force.
    pub fn is_paid(&self) -> bool {
        self.outcome == Some(Outcome::Paid)
    }

    /// Follows its operation: an end without a payment, or with one that was given back, ends a
    /// request to cancel.
    pub fn follow(&mut self, record: &OperationRecord, now: Timestamp) {
        self.transaction_id = record.transaction_id().cloned();
        self.state = record.state().cloned();
        self.outcome = record.outcome();
        self.reversal_reported = record.reversal_seen_at.is_some();
        self.contradicted = record.contradiction.is_some();
        if is_given_up(self.outcome) {
            for own in self.reversals.iter_mut().filter(|own| own.is_pending()) {
                own.enter(ReversalState::Done, "", now);
            }
        }
    }

    /// True while the service's answers disagree about the payment.
    pub fn is_disputed(&self) -> bool {
        self.reversal_reported || self.contradicted
    }

    /// The cents that can still be given back: none beside a reversal that may be under way, or
    /// after one.
    pub fn left(&self) -> u64 {
        let pending = self.pending_reversal().is_some() && !planted(Mistake::ReturnBesideReversal);
        let disputed = self.is_disputed() && !planted(Mistake::DisputedPaymentIsGivenBack);
        if pending || disputed || self.outcome == Some(Outcome::Reversed) {
            return 0;
        }
        self.amount.saturating_sub(self.balance().gone())
    }

    /// The cents that staff can give back now: none of an operation that is not paid.
    pub fn refundable(&self) -> u64 {
        if self.is_paid() { self.left() } else { 0 }
    }

    /// Why the operation was cancelled, if a request of this server cancelled it for a reason of its
    /// own. The last such request counts.
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
