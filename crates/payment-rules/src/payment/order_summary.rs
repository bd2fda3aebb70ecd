//! What a program of the shop learns about an order: whether it is paid, and what may still come.

use super::{Order, Payment};
use crate::ledger::Balance;
use crate::operation::Phase;
use crate::order::OrderState;
use payment_model::{Outcome, Timestamp};
use serde::Serialize;

/// Whether an order is paid, as far as the server knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderOutcome {
    /// A payment of the whole amount is in force.
    Paid,
    /// The outcome of an operation is unknown, answers about it disagree, or there was no usable one for
    /// an hour: it may be paid. Also an order that is older than the last restore, which a lost operation
    /// may have paid.
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
    /// True while an operation can still be paid, its outcome is unknown, or a restore may have lost
    /// one. Besides a payment in force, such an operation may become a second payment.
    pub payment_may_come: bool,
    /// The sums of what was given back of all payments. A reversal is no part of them.
    pub given_back: Balance,
}

impl Order {
    /// See [`OrderSummary`].
    pub fn summary(&self, now: Timestamp) -> OrderSummary {
        let mut payments = self.payments.iter();
        let unconfirmed = self.is_fenced() || payments.any(|one| one.is_unconfirmed(now));
        let waiting = self.payments.iter().any(Payment::is_waiting);
        let paid = self.payments.iter().any(Payment::is_in_force);
        let reversed = || {
            let mut operations = self.operations();
            operations.any(|operation| operation.outcome() == Some(Outcome::Reversed))
        };
        let outcome = match self.facts.state {
            OrderState::Paid if paid => OrderOutcome::Paid,
            // Each announced payment may be given back at this moment.
            OrderState::Paid => OrderOutcome::Unconfirmed,
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
    pub fn is_unconfirmed(&self, now: Timestamp) -> bool {
        let operation = &self.operation;
        let is_outcome_unknown = match operation.phase {
            Phase::Sending | Phase::InDoubt => true,
            // The service reported it, and then gave no usable answer about it.
            Phase::Refused | Phase::Lost => operation.unanswered.is_some(),
            Phase::Known if operation.watch_ended_at.is_some() => false,
            Phase::Known => {
                let may_wait = self.is_waiting() && !operation.is_long_unanswered(now);
                operation.outcome().is_none() && !may_wait
            }
        };
        is_outcome_unknown
            || operation.is_held()
            || self.may_be_given_back()
            || operation.answer_mismatch.is_some()
            || operation.may_be_paid_again()
    }

    /// True for an announced payment that stands.
    fn is_in_force(&self) -> bool {
        let operation = &self.operation;
        let is_announced = operation.is_paid() && operation.announced_at.is_some();
        is_announced && !self.may_be_given_back()
    }

    /// True while a request that gives a payment back is on its way or in doubt, or answers disagree
    /// about the payment. An announcement outlasts this, and so does the state of the order.
    fn may_be_given_back(&self) -> bool {
        self.ledger.pending_reversal().is_some() || self.operation.is_disputed()
    }

    fn is_waiting(&self) -> bool {
        let state = self.operation.state();
        let waits = state.is_some_and(|state| state.is_waiting());
        waits && self.operation.watch_ended_at.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::{OrderOutcome, OrderSummary};
    use crate::ledger::Purpose;
    use crate::ledger::fixture::{refund, reserve, reversal};
    use crate::operation::fixture::{pending, reading, record, with_state};
    use crate::operation::{Difference, OperationRecord, Phase};
    use crate::payment::Order;
    use crate::payment::fixture::order;
    use crate::service_answers::AmountUnits;
    use crate::timing::instant;
    use std::time::Duration;

    fn summary(operations: impl IntoIterator<Item = OperationRecord>) -> OrderSummary {
        let mut order = order(operations);
        let before = Order::new(order.facts.clone(), Vec::new());
        order.conclude(&before, instant(1)).unwrap();
        order.summary(instant(1))
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
            answer_mismatch: Some(Difference::new("amount", instant(0))),
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
    fn an_order_older_than_a_restore_is_unconfirmed_until_it_is_known_to_be_paid() {
        let fenced = |operations: &[OperationRecord], fence| {
            let mut order = order(operations.iter().cloned());
            order.fence = Some(fence);
            let before = Order::new(order.facts.clone(), Vec::new());
            order.conclude(&before, instant(1)).unwrap();
            let found = order.summary(instant(1));
            (found.outcome, found.payment_may_come)
        };
        let state = |word| with_state(word, instant(0));
        let created_at = order([]).facts.created_at;
        let later = created_at.saturating_add(Duration::from_millis(1));
        use OrderOutcome as Is;
        // An operation that is lost may have paid each of them, also beside a known payment.
        for operations in [
            &[][..],
            &[pending()],
            &[state("EXPIRADO")],
            &[state("EXTORNADO")],
        ] {
            assert_eq!(fenced(operations, later), (Is::Unconfirmed, true));
        }
        assert_eq!(fenced(&[state("LIQUIDADO")], later), (Is::Paid, true));
        // An order since the restore is known.
        assert_eq!(fenced(&[], created_at), (Is::Unpaid, false));
        assert_eq!(fenced(&[pending()], created_at), (Is::Waiting, true));
    }

    #[test]
    fn a_payment_that_may_be_given_back_now_leaves_an_order_unconfirmed() {
        let paid = || with_state("LIQUIDADO", instant(0));
        let mut twice = order([paid(), paid()]);
        let before = Order::new(twice.facts.clone(), Vec::new());
        twice.conclude(&before, instant(1)).unwrap();
        let mut once = twice.clone();
        once.payments.truncate(1);
        for order in [&mut once, &mut twice] {
            let ledger = &mut order.payments[0].ledger;
            ledger.reserve_reversal(
                reversal("r", Purpose::Reverse, instant(2)),
                reading(instant(2)),
            );
        }
        let found = once.summary(instant(1));
        assert_eq!(
            (found.outcome, found.payment_may_come),
            (OrderOutcome::Unconfirmed, true)
        );
        // The other payment is in force.
        assert_eq!(twice.summary(instant(1)).outcome, OrderOutcome::Paid);

        let mut seen = order([paid()]);
        seen.conclude(&before, instant(1)).unwrap();
        seen.payments[0].operation.reversal_seen_at = Some(instant(2));
        assert_eq!(seen.summary(instant(1)).outcome, OrderOutcome::Unconfirmed);
        // An answer with another amount does not unmake a payment, and its note stays for ever.
        let mut mismatched = order([paid()]);
        mismatched.conclude(&before, instant(1)).unwrap();
        mismatched.payments[0].operation.answer_mismatch =
            Some(Difference::new("amount", instant(0)));
        assert_eq!(mismatched.summary(instant(1)).outcome, OrderOutcome::Paid);
    }

    #[test]
    fn money_that_went_back_is_summed_over_all_payments() {
        let paid = || with_state("LIQUIDADO", instant(0));
        let mut order: Order = order([paid(), paid()]);
        reserve(&mut order.payments[1].ledger, "a", 100, instant(1));
        let resolved = refund("r", "RESOLVED", "300");
        let ledger = &mut order.payments[0].ledger;
        ledger.merge_refunds(&[resolved], AmountUnits::Cents, instant(5));
        let sums = order.summary(instant(1)).given_back;
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
