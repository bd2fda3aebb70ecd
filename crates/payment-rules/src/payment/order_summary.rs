//! What a program of the shop learns about an order: whether it is paid, and what may still come.

use super::{Order, Payment};
use crate::ledger::Balance;
use crate::operation::Phase;
use crate::order::OrderState;
use payment_model::Outcome;
use serde::Serialize;

/// Whether an order is paid, as far as the server knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderOutcome {
    /// A payment of the whole amount is in force.
    Paid,
    /// The outcome of an operation is unknown, or answers about it disagree: it may be paid.
    Unconfirmed,
    /// The payer has a code or a link that can still be paid.
    Waiting,
    /// The payment was given back, and no other one is in force.
    Reversed,
    /// No payment is in force and none is under way.
    Unpaid,
}

/// The truth about an order's payment, from everything that is stored about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderSummary {
    /// Whether the order is paid.
    pub outcome: OrderOutcome,
    /// True while an operation can still be paid, or its outcome is unknown. Besides a payment in
    /// force, such an operation may become a second payment.
    pub payment_may_come: bool,
    /// The sums of what was given back of all payments. A reversal is no part of them.
    pub given_back: Balance,
}

impl Order {
    /// See [`OrderSummary`].
    pub fn summary(&self) -> OrderSummary {
        let unconfirmed = self.payments.iter().any(Payment::is_unconfirmed);
        let waiting = self.payments.iter().any(Payment::is_waiting);
        let reversed = || {
            let mut operations = self.operations();
            operations.any(|operation| operation.outcome() == Some(Outcome::Reversed))
        };
        let outcome = match self.facts.state {
            OrderState::Paid => OrderOutcome::Paid,
            OrderState::Open if unconfirmed => OrderOutcome::Unconfirmed,
            OrderState::Open if waiting => OrderOutcome::Waiting,
            OrderState::Open if reversed() => OrderOutcome::Reversed,
            OrderState::Open => OrderOutcome::Unpaid,
        };
        OrderSummary {
            outcome,
            payment_may_come: waiting || unconfirmed,
            given_back: self.given_back(),
        }
    }

    fn given_back(&self) -> Balance {
        let mut sum = Balance {
            paid: 0,
            given_back: 0,
            reserved: 0,
            unknown: 0,
        };
        for payment in &self.payments {
            let balance = payment.ledger.balance();
            let paid = if payment.operation.is_paid() {
                balance.paid
            } else {
                0
            };
            sum.paid = sum.paid.saturating_add(paid);
            sum.given_back = sum.given_back.saturating_add(balance.given_back);
            sum.reserved = sum.reserved.saturating_add(balance.reserved);
            sum.unknown = sum.unknown.saturating_add(balance.unknown);
        }
        sum
    }
}

impl Payment {
    /// True when it is not known whether the operation is paid.
    pub fn is_unconfirmed(&self) -> bool {
        let operation = &self.operation;
        let is_outcome_unknown = match operation.phase {
            Phase::Sending | Phase::InDoubt => true,
            Phase::Refused | Phase::Lost => false,
            Phase::Known => operation.outcome().is_none() && !self.is_waiting(),
        };
        is_outcome_unknown
            || operation.is_held()
            || operation.is_disputed()
            || operation.answer_mismatch.is_some()
            || operation.paid_again_at.is_some()
    }

    fn is_waiting(&self) -> bool {
        let state = self.operation.state();
        state.is_some_and(|state| state.is_waiting())
    }
}

#[cfg(test)]
mod tests {
    use super::{OrderOutcome, OrderSummary};
    use crate::ledger::fixture::{refund, reserve};
    use crate::operation::fixture::{pending, record, with_state};
    use crate::operation::{OperationRecord, Phase};
    use crate::payment::Order;
    use crate::payment::fixture::order;
    use crate::service_answers::AmountUnits;
    use crate::timing::instant;

    fn summary(operations: impl IntoIterator<Item = OperationRecord>) -> OrderSummary {
        let mut order = order(operations);
        let before = Order::new(order.facts.clone(), Vec::new());
        order.conclude(&before, instant(1)).unwrap();
        order.summary()
    }

    fn in_phase(phase: Phase) -> OperationRecord {
        OperationRecord { phase, ..record() }
    }

    #[test]
    fn an_order_is_unpaid_only_if_no_operation_can_have_been_paid() {
        let check = |operations: &[OperationRecord], outcome, may_come| {
            let found = summary(operations.iter().cloned());
            assert_eq!((found.outcome, found.payment_may_come), (outcome, may_come));
        };
        let state = |word| with_state(word, instant(0));
        use OrderOutcome as Is;
        check(&[], Is::Unpaid, false);
        check(&[state("EXPIRADO")], Is::Unpaid, false);
        check(&[in_phase(Phase::Refused)], Is::Unpaid, false);
        check(&[in_phase(Phase::Lost)], Is::Unpaid, false);
        check(&[in_phase(Phase::Sending)], Is::Unconfirmed, true);
        check(&[in_phase(Phase::InDoubt)], Is::Unconfirmed, true);
        check(&[state("NUEVO")], Is::Unconfirmed, true);
        check(&[pending()], Is::Waiting, true);
        check(
            &[pending(), in_phase(Phase::InDoubt)],
            Is::Unconfirmed,
            true,
        );
        check(&[state("LIQUIDADO")], Is::Paid, false);
        check(&[state("LIQUIDADO"), pending()], Is::Paid, true);
        check(&[state("EXTORNADO")], Is::Reversed, false);
        check(&[state("EXTORNADO"), pending()], Is::Waiting, true);
    }

    #[test]
    fn answers_that_disagree_leave_an_order_unconfirmed() {
        let mismatched = OperationRecord {
            answer_mismatch: Some("amount".to_owned()),
            ..with_state("EXPIRADO", instant(0))
        };
        assert_eq!(summary([mismatched]).outcome, OrderOutcome::Unconfirmed);
        let seen = OperationRecord {
            reversal_seen_at: Some(instant(1)),
            ..with_state("EXTORNADO", instant(0))
        };
        assert_eq!(summary([seen]).outcome, OrderOutcome::Unconfirmed);
    }

    #[test]
    fn money_that_went_back_is_summed_over_all_payments() {
        let paid = || with_state("LIQUIDADO", instant(0));
        let mut order: Order = order([paid(), paid()]);
        reserve(&mut order.payments[1].ledger, "a", 100, instant(1));
        let resolved = refund("r", "RESOLVED", "300");
        let ledger = &mut order.payments[0].ledger;
        ledger.merge_refunds(&[resolved], AmountUnits::Cents, instant(5));
        let sums = order.summary().given_back;
        assert_eq!(
            (sums.given_back, sums.reserved, sums.unknown),
            (300, 100, 0)
        );
        assert_eq!(
            sums.paid,
            order
                .payments
                .iter()
                .map(|p| p.operation.amount)
                .sum::<u64>()
        );
    }
}
