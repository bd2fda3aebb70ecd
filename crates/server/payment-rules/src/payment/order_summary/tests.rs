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
    mismatched.payments[0].operation.answer_mismatch = Some(Difference::new("amount", instant(0)));
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
