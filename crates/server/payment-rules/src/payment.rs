//! The order with all its payments. It is the aggregate: it has everything that a decision about
//! its money needs, and is loaded, changed and saved as one value.
//!
//! ```text
//! pay_attempt  begins and ends an attempt to pay, and spends its idempotency key
//! staff_acts   refunds, returns by hand and releases by staff, with their audit records
//! exceptions   what staff have to look at
//! order_summary  the order's state: what follows from a change, its events, what a program of the shop learns
//! document     the JSON that the store keeps of a payment
//! requests     what the store lists beside it: requests that give money back, and whether all has ended
//! ```
//!
//! A change runs on a loaded copy. The store compares the copy with what it loaded and saves the
//! difference, with the events of the difference and with the [`Effects`], in one transaction.

mod document;
mod exceptions;
#[cfg(any(test, feature = "fixtures"))]
#[allow(clippy::unwrap_used, reason = "only tests make these values")]
pub mod fixture;
mod order_summary;
mod pay_attempt;
mod requests;
mod staff_acts;

use crate::idempotency::{AuthorizationAnswer, Claim};
use crate::ledger::Ledger;
use crate::operation::{OperationKey, OperationRecord, QuestionContext, Verdict};
use crate::order::OrderFacts;
use crate::service_answers::AmountUnits;
use crate::staff::AuditRecord;
use payment_model::{MerchantCode, Operation, Timestamp};
use std::collections::HashMap;
use std::sync::Arc;

pub use document::{DocumentError, Plan};
pub use exceptions::{BY_URGENCY, EXCEPTIONS_VERSION, FoundException};
pub use order_summary::{OrderOutcome, OrderSummary};
pub use order_summary::{announce, events_between};
pub use pay_attempt::BeginAttemptError;
pub use requests::{Counted, RequestKind, RequestRow};
pub use staff_acts::{BlockReleaseOutcome, BlockReleaseRecord, ReturnEndKind};

/// An order with everything about its payments.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The order itself.
    pub facts: OrderFacts,
    /// Its attempts to pay, the oldest first; at most [`crate::order::MAX_ATTEMPTS_PER_ORDER`].
    pub payments: Vec<Payment>,
    /// The instant of the last restore of the database, until everything older was compared with
    /// the payment service.
    pub fence: Option<Timestamp>,
    /// The number of consecutive wrong QR codes of its store that were refused.
    pub refused_codes: u32,
    /// When the shop closed the order: no attempt to pay begins any more.
    pub closed_at: Option<Timestamp>,
    /// True once the payer's data was removed, which is final: later answers are stored without it.
    pub payer_is_forgotten: bool,
    /// What the current change writes in addition to the order; empty when the order is loaded.
    pub effects: Effects,
}

/// The orders that one request of staff changes together, without duplicates.
#[derive(Debug, Clone, PartialEq)]
pub struct Orders(pub Vec<Order>);

impl Orders {
    /// The order that has this operation.
    pub fn order_mut(&mut self, key: &OperationKey) -> Option<&mut Order> {
        let mut orders = self.0.iter_mut();
        orders.find(|order| order.payment(key).is_some())
    }

    /// The ledgers of these operations, in the order of the keys. A key without a ledger is left
    /// out.
    fn ledgers_mut<'a>(
        &mut self,
        keys: impl Iterator<Item = &'a OperationKey>,
    ) -> Vec<&mut Ledger> {
        let payments = self.0.iter_mut().flat_map(|order| &mut order.payments);
        let mut ledgers: HashMap<_, _> = payments
            .map(|payment| (&payment.operation.key, &mut payment.ledger))
            .collect();
        keys.filter_map(|key| ledgers.remove(key)).collect()
    }
}

/// One attempt to pay an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Payment {
    /// The attempt to pay at the payment service.
    pub operation: OperationRecord,
    /// The money of the operation that was given back or may be.
    pub ledger: Ledger,
    /// The request of staff to release the order that this operation blocks now.
    pub block_release: Option<BlockReleaseRecord>,
    /// The document that it was loaded from; `None` for a new one.
    pub stored: Option<Arc<str>>,
}

/// What a change writes in the same transaction as the order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// The acts of staff.
    pub audit: Vec<AuditRecord>,
    /// The payer's request that this change ends, with its final answer.
    pub answered: Option<(Claim, AuthorizationAnswer)>,
    /// What the code of a new operation says of its store's codes.
    pub code: Option<CountedCode>,
}

/// A code that counts for its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedCode {
    /// A wrong one reached nobody; its attempt began then.
    Refused(Timestamp),
    /// A right one.
    Right,
}

/// The accepted answer to a query or a cancellation.
#[derive(Debug, Clone, Copy)]
pub struct OperationAnswer<'a> {
    /// The merchant code of the answer.
    pub merchant_code: &'a MerchantCode,
    /// The operation of the answer.
    pub operation: &'a Operation,
    /// The unit of the answer's amounts.
    pub units: AmountUnits,
}

impl Order {
    /// An order without a restore in its past, whose payer is known.
    pub fn new(facts: OrderFacts, payments: Vec<Payment>) -> Self {
        Self {
            facts,
            payments,
            fence: None,
            refused_codes: 0,
            closed_at: None,
            payer_is_forgotten: false,
            effects: Effects::default(),
        }
    }

    /// The payment with this operation.
    pub fn payment(&self, key: &OperationKey) -> Option<&Payment> {
        let mut payments = self.payments.iter();
        payments.find(|payment| payment.operation.key == *key)
    }

    /// The payment with this operation, to change it.
    pub fn payment_mut(&mut self, key: &OperationKey) -> Option<&mut Payment> {
        let mut payments = self.payments.iter_mut();
        payments.find(|payment| payment.operation.key == *key)
    }

    /// The ledger of an operation.
    pub fn ledger(&self, key: &OperationKey) -> Option<&Ledger> {
        Some(&self.payment(key)?.ledger)
    }

    /// Its attempts to pay, the oldest first.
    pub fn operations(&self) -> impl DoubleEndedIterator<Item = &OperationRecord> + Clone {
        self.payments.iter().map(|payment| &payment.operation)
    }

    /// True for an order that its shop made or described before the last restore: an operation that is
    /// lost may have paid it.
    fn is_fenced(&self) -> bool {
        let is_older = |at| self.fence.is_some_and(|fence| at < fence);
        is_older(self.facts.created_at) || self.facts.described_at.is_some_and(is_older)
    }
}

impl Payment {
    /// A payment of an order that no member of staff asked to release.
    pub fn new(operation: OperationRecord, ledger: Ledger) -> Self {
        Self {
            operation,
            ledger,
            block_release: None,
            stored: None,
        }
    }

    /// True when the other one differs only in when the list of refunds is polled.
    pub fn differs_only_in_watch(&self, other: &Self) -> bool {
        let mut same = other.clone();
        same.ledger.watch = self.ledger.watch;
        same == *self
    }

    /// Applies an answer, which may end a request to cancel that is on its way or in doubt, and
    /// plans the next poll. `turn` is `queried_at` at the start of a query, and `None` for a
    /// cancellation. Notifications up to it came before the query.
    pub fn apply_answer(
        &mut self,
        answer: OperationAnswer<'_>,
        question: &QuestionContext,
        turn: Option<Option<Timestamp>>,
        now: Timestamp,
    ) -> Verdict {
        let answered = self.operation.answered(answer.operation);
        let answered = answered.map(|(transaction, _)| (transaction.outcome(), transaction.state));
        if !question.is_query() {
            self.ledger.request_was_answered();
        }
        let verdict = answer.apply(&mut self.operation, question, turn, now);
        let was_pending = self.ledger.pending_reversal().is_some();
        self.ledger.follow(&self.operation, now);
        if was_pending || self.ledger.pending_reversal().is_some() {
            if let (true, Some((outcome, state))) = (verdict.is_believed(), answered) {
                self.ledger
                    .state_was_answered(&state, outcome, question, now);
            }
            self.ledger.plan(now);
        }
        verdict
    }
}

impl OperationAnswer<'_> {
    /// The operation with the plan for its next poll, if this answer to a query confirms what is
    /// stored and changes nothing else. Only for an operation without a request to cancel that is on
    /// its way or in doubt.
    pub fn confirmed(
        self,
        stored: &OperationRecord,
        question: &QuestionContext,
        turn: Option<Timestamp>,
        now: Timestamp,
    ) -> Option<OperationRecord> {
        let mut planned = stored.clone();
        let verdict = self.apply(&mut planned, question, Some(turn), now);
        let is_confirmed = verdict == Verdict::Believed && stored.differs_only_in_plan(&planned);
        is_confirmed.then_some(planned)
    }

    fn apply(
        self,
        operation: &mut OperationRecord,
        question: &QuestionContext,
        turn: Option<Option<Timestamp>>,
        now: Timestamp,
    ) -> Verdict {
        let verdict = operation.apply_answer(
            self.merchant_code,
            self.operation,
            self.units,
            question,
            now,
        );
        if let (Some(turn), true) = (turn, verdict.is_believed()) {
            operation.answer_hint(turn);
        }
        operation.plan_after_answer(verdict, now);
        verdict
    }
}

#[cfg(test)]
mod stories;
