//! An order with its payments, each an operation together with the ledger of its money: what an answer of
//! the service changes in both, at once.

mod begin_attempt;

use super::ledger::Ledger;
use super::operation::{Asked, OperationRecord, Taken};
use crate::amount_units::AmountUnits;
use crate::order::OrderFacts;
use payment_model::{MerchantCode, Operation, Timestamp};

pub use begin_attempt::BeginAttemptError;

/// An order with everything about its payments: what a decision about money rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    pub facts: OrderFacts,
    /// Its attempts to pay, the oldest first; at most [`crate::order::MOST_OPERATIONS`].
    pub payments: Vec<Payment>,
    /// The instant of the last restore, while not everything older was compared with the payment service.
    pub fence: Option<Timestamp>,
}

/// One attempt to pay an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Payment {
    pub operation: OperationRecord,
    pub ledger: Ledger,
}

/// The accepted answer to a query or a cancellation.
#[derive(Debug, Clone, Copy)]
pub struct OperationAnswer<'a> {
    pub merchant_code: &'a MerchantCode,
    pub operation: &'a Operation,
    pub units: AmountUnits,
}

/// Takes an answer. The ledger is needed while a request to cancel is on its way or in doubt, which
/// the answer may end.
pub fn take_answer(
    record: &mut OperationRecord,
    ledger: Option<&mut Ledger>,
    answer: OperationAnswer<'_>,
    asked: &Asked,
    now: Timestamp,
) -> Taken {
    let answered = record.answered(answer.operation);
    let answered = answered.map(|transaction| (transaction.state.clone(), transaction.outcome()));
    let taken = record.take(
        answer.merchant_code,
        answer.operation,
        answer.units,
        asked,
        now,
    );
    if let Some(ledger) = ledger {
        ledger.follow(record, now);
        if let (true, Some((state, outcome))) = (taken.is_believed(), answered) {
            ledger.state_was_answered(&state, outcome, asked, now);
        }
        ledger.plan(now);
    }
    taken
}

/// Announces a payment to the shop and the payer, unless a request that gives it back is on its way
/// or in doubt, or the service's answers disagree about it. What was announced stays so until the payment is reversed.
pub fn announce(record: &mut OperationRecord, ledger: Option<&Ledger>, now: Timestamp) {
    let pending = ledger.is_some_and(|ledger| ledger.pending_reversal().is_some());
    record.announce(pending || record.is_disputed(), now);
}

#[cfg(test)]
mod stories;
