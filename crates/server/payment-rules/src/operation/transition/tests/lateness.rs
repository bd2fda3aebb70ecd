//! Payments of operations that were given up, and orders that an operation blocks.

use crate::operation::Verdict;
use crate::operation::fixture::{apply, authorized, pending, record, transaction, with_state};
use crate::operation::{OperationRecord, Phase};
use crate::service_answers::AmountUnits;
use crate::timing::{HOUR, MINUTE, instant};
use payment_model::{Amount, Currency, MerchantCode, MerchantOperationNumber, Outcome};
use std::time::Duration;

/// When it counts as paid late, after an answer of this state.
fn late(record: &OperationRecord, state: &str) -> Option<i64> {
    let mut record = record.clone();
    apply(&mut record, &transaction(state, &[state]), instant(7));
    record.paid_late_at.map(payment_model::Timestamp::as_millis)
}

#[test]
fn a_payment_is_late_when_its_operation_had_ended_or_was_left() {
    let waiting = pending();
    let mut left = pending();
    left.live = false;
    let mut in_doubt = record();
    in_doubt.phase = Phase::InDoubt;
    in_doubt.live = false;
    for (name, record, expected) in [
        ("waiting", &waiting, None),
        ("left for another one", &left, Some(7)),
        ("expired", &with_state("EXPIRADO", instant(1)), Some(7)),
        ("declined", &with_state("DENEGADO", instant(1)), Some(7)),
        ("never known before", &in_doubt, None),
        ("paid before", &with_state("AUTORIZADO", instant(1)), None),
    ] {
        assert_eq!(late(record, "AUTORIZADO"), expected, "{name}");
        assert_eq!(late(record, "LIQUIDADO"), expected, "{name}");
        assert_eq!(late(record, "EXPIRADO"), None, "{name}");
    }
    // The first payment decides.
    let mut settled = left;
    apply(&mut settled, &transaction("AUTORIZADO", &[]), instant(7));
    apply(&mut settled, &transaction("LIQUIDADO", &[]), instant(8));
    assert_eq!(settled.paid_late_at, Some(instant(7)));
}

#[test]
fn an_answer_that_came_too_late_makes_nothing_live_and_shows_nothing() {
    let mut in_doubt = record();
    in_doubt.phase = Phase::InDoubt;
    in_doubt.live = false;
    let mut late = in_doubt.clone();
    late.register_late(&authorized(), AmountUnits::Cents, instant(7));
    assert_eq!((late.phase, late.live), (Phase::Known, false));
    assert_eq!(late.answer, None);
    assert!(late.transaction_id().is_some() && late.reached_nobody());
    // Its payment is announced as a late payment.
    let mut paid = late.clone();
    apply(&mut paid, &transaction("AUTORIZADO", &[]), instant(8));
    assert_eq!(paid.paid_late_at, Some(instant(8)));
    assert!(!paid.reached_nobody());
    // The answer to a cancellation is newer.
    let mut canceled = in_doubt;
    apply(&mut canceled, &transaction("CANCELADO", &[]), instant(6));
    let known = canceled.clone();
    canceled.register_late(&authorized(), AmountUnits::Cents, instant(7));
    assert_eq!(canceled, known);
    let mut left = pending();
    left.live = false;
    assert!(!left.reached_nobody() && !pending().reached_nobody());
}

#[test]
fn an_operation_stays_live_until_it_ends_and_never_comes_back() {
    for (state, live) in [
        ("PENDIENTE", true),
        ("NUEVO", true),
        ("AUTORIZADO", false),
        ("DENEGADO", false),
        ("EXPIRADO", false),
    ] {
        assert_eq!(with_state(state, instant(1)).live, live, "{state}");
        let mut left = pending();
        left.live = false;
        apply(&mut left, &transaction(state, &[]), instant(1));
        assert!(!left.live, "{state}");
    }
}

#[test]
fn a_doubt_ends_with_the_first_answer_that_is_believed() {
    let mut doubt = record();
    doubt.phase = Phase::InDoubt;
    let verdict = apply(&mut doubt, &transaction("PENDIENTE", &[]), instant(1));
    assert_eq!((verdict, doubt.phase), (Verdict::Believed, Phase::Known));
    assert_eq!(doubt.changed_at, instant(1));
}

#[test]
fn a_waiting_operation_blocks_its_order_no_longer_while_it_can_be_paid() {
    let overdue = instant(0).saturating_add(HOUR + MINUTE);
    assert_eq!(pending().overdue_from(), overdue);
    let early = instant(0).saturating_add(HOUR + MINUTE - Duration::from_millis(1));
    for (now, expected) in [(early, None), (overdue, Some(instant(5)))] {
        let mut record = pending();
        record.block(instant(5));
        record.block(instant(6));
        apply(&mut record, &transaction("PENDIENTE", &[]), now);
        assert_eq!(record.blocked_since, expected);
    }
}

#[test]
fn an_answer_that_is_not_believed_blocks_the_order() {
    let mut record = pending();
    let mut cheaper = transaction("PENDIENTE", &[]);
    cheaper["amount"] = "1".into();
    assert_eq!(apply(&mut record, &cheaper, instant(3)), Verdict::Mismatch);
    assert_eq!(record.blocked_since, Some(instant(3)));
    let mut dollars = transaction("PENDIENTE", &[]);
    dollars["currency"] = "USD".into();
    assert_eq!(apply(&mut record, &dollars, instant(4)), Verdict::Mismatch);
    assert_eq!(record.blocked_since, Some(instant(3)));
}

#[test]
fn a_first_answer_about_something_else_is_not_believed() {
    let mut merchant = authorized();
    merchant.merchant_code = MerchantCode::new("other");
    let mut number = authorized();
    number.merchant_operation_number = MerchantOperationNumber::new("2");
    let mut amount = authorized();
    amount.transaction.amount = Amount::new("387");
    let mut currency = authorized();
    currency.transaction.currency = Currency::new("USD");
    for (name, answer) in [
        ("merchant", merchant),
        ("number", number),
        ("amount", amount),
        ("currency", currency),
    ] {
        let mut record = record();
        let verdict = record.register(&answer, AmountUnits::Cents, instant(1));
        assert_eq!(verdict, Verdict::Mismatch, "{name}");
        assert!(record.answer_mismatch.is_some(), "{name}");
        assert_eq!((record.operation, record.phase), (None, Phase::Sending));
    }
}

#[test]
fn a_payment_reversed_before_its_announcement_is_shown_before_another_code() {
    let reversed = transaction("CANCELADO", &["AUTORIZADO", "CANCELADO"]);
    let mut waiting = pending();
    waiting.blocked_since = None;
    let mut held = with_state("AUTORIZADO", instant(1));
    held.announced_at = None;
    let mut announced = held.clone();
    announced.announced_at = Some(instant(1));
    for (name, mut record, untold) in [
        ("waiting", waiting, Some(instant(7))),
        ("held", held, Some(instant(7))),
        ("announced", announced, None),
    ] {
        assert_eq!(apply(&mut record, &reversed, instant(7)), Verdict::Believed);
        assert_eq!(record.outcome(), Some(Outcome::Reversed), "{name}");
        assert_eq!(record.blocked_since, untold, "{name}");
    }
}
