//! The order is the aggregate: it has everything on which a decision about its money rests, and is
//! loaded, changed and saved as a whole.
//!
//! ```text
//! begin_attempt   whether the order may have another attempt to pay
//! attempt_result  how the attempt ends, and with what answer its idempotency key is spent
//! staff_acts      refunds, manual returns and releases by staff, with their audit records
//! block_release   two members of staff release an order that its live operation blocks
//! changes         what follows from a change: announced payments, the order's state, events
//! ```
//!
//! A change runs on a loaded copy. The store compares the copy with what it loaded and saves the
//! difference, with the events of the difference and with the [`Effects`], in one transaction.

mod attempt_result;
mod begin_attempt;
mod block_release;
mod changes;
#[cfg(any(test, feature = "fixtures"))]
#[allow(clippy::unwrap_used, reason = "only tests make these values")]
pub mod fixture;
mod staff_acts;

use super::ledger::Ledger;
use super::operation::{Asked, OperationKey, OperationRecord, Taken};
use crate::amount_units::AmountUnits;
use crate::audit::AuditRecord;
use crate::idempotent_answer::AuthorizationAnswer;
use crate::idempotent_request::Claim;
use crate::order::OrderFacts;
use payment_model::{MerchantCode, Operation, Timestamp};
use std::collections::HashMap;

pub use begin_attempt::BeginAttemptError;
pub use block_release::{BlockReleaseOutcome, BlockReleaseRecord};
pub use changes::{announce, events_between};
pub use staff_acts::ReturnEndKind;

/// An order with everything about its payments.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    pub facts: OrderFacts,
    /// Its attempts to pay, the oldest first; at most [`crate::order::MOST_OPERATIONS`].
    pub payments: Vec<Payment>,
    /// The instant of the last restore, while not everything older was compared with the payment service.
    pub fence: Option<Timestamp>,
    /// True once the payer's data was removed, which is final: later answers are stored without it.
    pub payer_is_forgotten: bool,
    /// What the running change writes beside the order; empty when the order is loaded.
    pub effects: Effects,
}

/// Orders that one request of staff changes together, each of them once.
#[derive(Debug, Clone, PartialEq)]
pub struct Orders(pub Vec<Order>);

impl Orders {
    pub fn order_mut(&mut self, key: &OperationKey) -> Option<&mut Order> {
        let mut orders = self.0.iter_mut();
        orders.find(|order| order.payment(key).is_some())
    }

    /// The ledgers of operations, in the order of these keys; none of a key that is missing.
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
    pub operation: OperationRecord,
    pub ledger: Ledger,
    /// The release of the block that the operation causes now, if a member of staff asked for it.
    pub block_release: Option<BlockReleaseRecord>,
}

/// What a change writes in the same transaction as the order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// The acts of staff.
    pub audit: Vec<AuditRecord>,
    /// The payer's request that ends, with its final answer.
    pub answered: Option<(Claim, AuthorizationAnswer)>,
}

/// The accepted answer to a query or a cancellation.
#[derive(Debug, Clone, Copy)]
pub struct OperationAnswer<'a> {
    pub merchant_code: &'a MerchantCode,
    pub operation: &'a Operation,
    pub units: AmountUnits,
}

impl Order {
    /// An order without a restore in its past, whose payer is known.
    pub fn new(facts: OrderFacts, payments: Vec<Payment>) -> Self {
        Self {
            facts,
            payments,
            fence: None,
            payer_is_forgotten: false,
            effects: Effects::default(),
        }
    }

    pub fn payment(&self, key: &OperationKey) -> Option<&Payment> {
        let mut payments = self.payments.iter();
        payments.find(|payment| payment.operation.key == *key)
    }

    pub fn payment_mut(&mut self, key: &OperationKey) -> Option<&mut Payment> {
        let mut payments = self.payments.iter_mut();
        payments.find(|payment| payment.operation.key == *key)
    }

    /// The ledger of an operation.
    pub fn ledger(&self, key: &OperationKey) -> Option<&Ledger> {
        Some(&self.payment(key)?.ledger)
    }

    fn operations(&self) -> impl Iterator<Item = &OperationRecord> {
        self.payments.iter().map(|payment| &payment.operation)
    }
}

impl Payment {
    pub fn new(operation: OperationRecord, ledger: Ledger) -> Self {
        Self {
            operation,
            ledger,
            block_release: None,
        }
    }

    /// Applies an answer, which may end a request to cancel that is on its way or in doubt, and plans
    /// the next poll. `turn` is the turn of a query, which shows the notifications that came before it.
    pub fn apply_answer(
        &mut self,
        answer: OperationAnswer<'_>,
        asked: &Asked,
        turn: Option<Option<Timestamp>>,
        now: Timestamp,
    ) -> Taken {
        let answered = self.operation.answered(answer.operation);
        let answered =
            answered.map(|transaction| (transaction.state.clone(), transaction.outcome()));
        let taken = answer.apply(&mut self.operation, asked, turn, now);
        let was_pending = self.ledger.pending_reversal().is_some();
        self.ledger.follow(&self.operation, now);
        if was_pending {
            if let (true, Some((state, outcome))) = (taken.is_believed(), answered) {
                self.ledger.state_was_answered(&state, outcome, asked, now);
            }
            self.ledger.plan(now);
        }
        taken
    }
}

impl OperationAnswer<'_> {
    /// The operation with the plan for its next poll, if this answer to a query confirms what is
    /// stored and changes nothing else. Only for an operation without a request to cancel that is on
    /// its way or in doubt.
    pub fn confirmed(
        self,
        stored: &OperationRecord,
        asked: &Asked,
        turn: Option<Timestamp>,
        now: Timestamp,
    ) -> Option<OperationRecord> {
        let mut planned = stored.clone();
        let taken = self.apply(&mut planned, asked, Some(turn), now);
        let is_confirmed = taken == Taken::Believed && stored.differs_only_in_plan(&planned);
        is_confirmed.then_some(planned)
    }

    fn apply(
        self,
        operation: &mut OperationRecord,
        asked: &Asked,
        turn: Option<Option<Timestamp>>,
        now: Timestamp,
    ) -> Taken {
        let taken = operation.take(self.merchant_code, self.operation, self.units, asked, now);
        if let (Some(turn), true) = (turn, taken.is_believed()) {
            operation.answer_hint(turn);
        }
        operation.plan_after_answer(taken, now);
        taken
    }
}

#[cfg(test)]
mod stories;
