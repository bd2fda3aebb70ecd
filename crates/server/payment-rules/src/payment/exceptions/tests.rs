use super::{BY_URGENCY, ExceptionKind as Kind, FoundException};
use crate::ledger::fixture::refused;
use crate::ledger::fixture::{doubtful, refund, reserve, returned, reversal};
use crate::ledger::{Ledger, Purpose};
use crate::ledger::{LedgerEntries, REFUND_LISTED_AFTER, RETURN_LISTED_AFTER, Release};
use crate::operation::fixture::{pending, reading, record, with_state};
use crate::operation::{
    BLOCK_LISTED_AFTER, Contradiction, Difference, HELD_PAYMENT_LISTED_AFTER, Phase,
    UNANSWERED_LISTED_AFTER, Unanswered,
};
use crate::outgoing::SendFailure;
use crate::payment::Payment;
use crate::payment::fixture::{key, order};
use crate::service_answers::AmountUnits;
use crate::timing::instant;
use payment_model::RefundId;
use staff_model::AttemptState;
use std::time::Duration;

/// A settled payment that was announced.
fn paid() -> Payment {
    let mut operation = with_state("LIQUIDADO", instant(1));
    operation.announced_at = Some(instant(1));
    let ledger = Ledger::new(&operation, LedgerEntries::default());
    Payment::new(operation, ledger)
}

fn waiting() -> Payment {
    let operation = pending();
    let ledger = Ledger::new(&operation, LedgerEntries::default());
    Payment::new(operation, ledger)
}

/// The exceptions after a change: each with its kind, since when, after how long it is listed, and its detail.
fn after(
    mut payment: Payment,
    change: impl FnOnce(&mut Payment),
) -> Vec<(Kind, i64, Option<Duration>, String)> {
    change(&mut payment);
    let age = |one: &FoundException| Some(one.listed_from?.duration_since(one.since));
    let told = |one: FoundException| (one.kind, one.since.as_millis(), age(&one), one.detail);
    payment.exceptions().into_iter().map(told).collect()
}

fn one(
    kind: Kind,
    since: i64,
    listed_after: Option<Duration>,
    detail: &str,
) -> Vec<(Kind, i64, Option<Duration>, String)> {
    vec![(kind, since, listed_after, detail.to_owned())]
}

#[test]
fn a_payment_without_a_flaw_has_no_exception() {
    assert_eq!(after(paid(), |_| {}), []);
    assert_eq!(after(waiting(), |_| {}), []);
    let resolved = |payment: &mut Payment| {
        let listed = [refund("r", "RESOLVED", "100")];
        payment
            .ledger
            .merge_refunds(&listed, AmountUnits::Cents, instant(5));
    };
    assert_eq!(after(paid(), resolved), []);
}

#[test]
fn each_flaw_of_an_operation_is_an_exception_since_it_arose() {
    let differs = |payment: &mut Payment| {
        payment.operation.answer_mismatch = Some(Difference::new("another amount", instant(3)));
    };
    let expected = one(Kind::Mismatch, 3, None, "another amount");
    assert_eq!(after(waiting(), differs), expected);

    let contradicted = |payment: &mut Payment| {
        payment.operation.contradiction = Some(Contradiction {
            at: instant(4),
            detail: "PAID in CANCELED".to_owned(),
        });
    };
    let expected = one(Kind::Contradicted, 4, None, "PAID in CANCELED");
    assert_eq!(after(paid(), contradicted), expected);

    let doubt = |payment: &mut Payment| {
        payment.operation.phase = Phase::InDoubt;
        payment.operation.failure_note = Some("silence".to_owned());
    };
    assert_eq!(
        after(waiting(), doubt),
        one(Kind::InDoubt, 0, None, "silence")
    );

    let late = |payment: &mut Payment| payment.operation.paid_late_at = Some(instant(6));
    assert_eq!(after(paid(), late), one(Kind::PaidLate, 6, None, ""));
    // It was given back.
    assert_eq!(after(waiting(), late), []);

    let taken = |payment: &mut Payment| payment.operation.number_taken_at = Some(instant(7));
    assert_eq!(after(waiting(), taken), one(Kind::NumberTaken, 7, None, ""));
}

#[test]
fn what_may_end_by_itself_is_listed_only_once_it_is_old() {
    let held = |payment: &mut Payment| payment.operation.announced_at = None;
    let expected = one(Kind::PaymentHeld, 1, Some(HELD_PAYMENT_LISTED_AFTER), "");
    assert_eq!(after(paid(), held), expected);

    let silent = |payment: &mut Payment| {
        payment.operation.unanswered = Some(Unanswered {
            since: instant(8),
            reason: "no answer".to_owned(),
        });
    };
    let expected = one(
        Kind::Unanswered,
        8,
        Some(UNANSWERED_LISTED_AFTER),
        "no answer",
    );
    assert_eq!(after(waiting(), silent), expected);

    let blocks = |payment: &mut Payment| payment.operation.block(instant(9));
    let expected = one(Kind::Blocked, 9, Some(BLOCK_LISTED_AFTER), "");
    assert_eq!(after(waiting(), blocks), expected);
    let released = |payment: &mut Payment| {
        payment.operation.block(instant(9));
        payment.operation.live = false;
    };
    assert_eq!(after(waiting(), released), []);
}

#[test]
fn each_refund_of_unknown_outcome_is_an_exception_of_its_own() {
    let two = |payment: &mut Payment| {
        for (id, at) in [("a", 2), ("b", 3), ("refused", 4)] {
            reserve(&mut payment.ledger, id, 100, instant(at));
            assert!(payment.ledger.begin(id, instant(at)));
        }
        payment
            .ledger
            .end("a", SendFailure::NoAnswer.because("no answer"), instant(5));
        payment
            .ledger
            .end("b", SendFailure::NoAnswer.because("502"), instant(5));
        payment.ledger.end("refused", refused(400), instant(5));
    };
    let mut expected = one(Kind::RefundUnknown, 2, None, "no answer");
    expected.extend(one(Kind::RefundUnknown, 3, None, "502"));
    assert_eq!(after(paid(), two), expected);

    let came_after_all = |payment: &mut Payment| {
        payment.ledger.attempts = doubtful("a", 100, instant(2)).attempts;
        let attempt = &mut payment.ledger.attempts[0];
        attempt.release = Some(Release {
            by: "eva".to_owned(),
            at: instant(4),
            reason: "nothing came".to_owned(),
        });
        attempt.state = AttemptState::Registered;
        attempt.refund_id = Some(RefundId::new("r"));
        attempt.changed_at = instant(6);
        attempt.detail = "it counts again".to_owned();
    };
    let expected = one(Kind::RefundUnknown, 6, None, "it counts again");
    assert_eq!(after(paid(), came_after_all), expected);
}

#[test]
fn a_refund_is_stuck_at_once_if_it_is_rejected_and_otherwise_after_two_weeks() {
    let listed = |state: &'static str| {
        move |payment: &mut Payment| {
            let listed = [refund("r", state, "100")];
            payment
                .ledger
                .merge_refunds(&listed, AmountUnits::Cents, instant(5));
        }
    };
    let expected = one(Kind::RefundStuck, 5, None, "refund r is REJECTED");
    assert_eq!(after(paid(), listed("REJECTED")), expected);
    let expected = one(
        Kind::RefundStuck,
        5,
        Some(REFUND_LISTED_AFTER),
        "refund r is IN_PROCESS",
    );
    assert_eq!(after(paid(), listed("IN_PROCESS")), expected);
    let denied = |payment: &mut Payment| {
        listed("RESOLVED")(payment);
        let rejected = [refund("r", "REJECTED", "100")];
        payment
            .ledger
            .merge_refunds(&rejected, AmountUnits::Cents, instant(8));
    };
    let expected = one(
        Kind::RefundStuck,
        8,
        None,
        "refund r was RESOLVED, and the service says REJECTED now",
    );
    assert_eq!(after(paid(), denied), expected);
}

#[test]
fn a_return_by_hand_is_listed_while_a_person_has_something_to_do() {
    let reserved = |payment: &mut Payment| {
        payment.operation.method = payment_model::PaymentMethodName::CashCode;
        payment.ledger.method = payment_model::PaymentMethodName::CashCode;
        payment
            .ledger
            .give_back(returned("m", 300, false), instant(2))
            .unwrap();
    };
    let waits = "300 cents are reserved to be given back by hand, or wait for a second person";
    let expected = one(Kind::ReturnOpen, 2, Some(RETURN_LISTED_AFTER), waits);
    assert_eq!(after(paid(), reserved), expected);

    let made = |payment: &mut Payment| {
        reserved(payment);
        payment.ledger.returns[0].already_made = true;
    };
    let unreserved =
        "of 38700 cents, 300 cents were given back by hand before anybody reserved them";
    let mut expected = one(Kind::ReturnOpen, 2, None, waits);
    expected.extend(one(Kind::ReturnUnreserved, 2, None, unreserved));
    assert_eq!(after(paid(), made), expected);
}

#[test]
fn a_request_that_settles_the_doubt_about_its_operation_is_no_doubt_of_its_own() {
    for (phase, purpose, expected) in [
        (Phase::InDoubt, Purpose::SettleDoubt, vec![Kind::InDoubt]),
        (
            Phase::Known,
            Purpose::SettleDoubt,
            vec![Kind::ReversalUnknown],
        ),
        (
            Phase::InDoubt,
            Purpose::Cancel,
            vec![Kind::ReversalUnknown, Kind::InDoubt],
        ),
    ] {
        let mut operation = record();
        operation.phase = phase;
        let mut ledger = Ledger::new(&operation, LedgerEntries::default());
        ledger.reserve_reversal(reversal("v", purpose, instant(2)), reading(instant(2)));
        ledger.reversals[0].state = staff_model::ReversalState::InDoubt;
        let found = Payment::new(operation, ledger).exceptions();
        let kinds: Vec<_> = found.iter().map(|one| one.kind).collect();
        assert_eq!(kinds, expected, "{phase:?} {purpose:?}");
    }
}

#[test]
fn an_excess_is_another_exception_only_when_its_amounts_are_others() {
    let mut payment = paid();
    let note = |payment: &mut Payment, amount: u64, at: i64| {
        payment.ledger.returns[0].amount = amount;
        payment
            .operation
            .note_excess(payment.ledger.excess(), instant(at));
        let found = payment.exceptions().into_iter();
        let mut beyond = found.filter(|one| one.kind == Kind::GivenBackBeyond);
        beyond.next().map(|one| (one.since.as_millis(), one.detail))
    };
    payment
        .ledger
        .give_back(returned("m", 38_700, true), instant(2))
        .unwrap();
    assert_eq!(note(&mut payment, 38_700, 2), None);
    let (since, detail) = note(&mut payment, 38_701, 3).unwrap();
    assert_eq!(since, 3);
    assert!(detail.starts_with("38701 cents"), "{detail}");
    assert_eq!(note(&mut payment, 38_701, 4).unwrap().0, 3);
    assert_eq!(note(&mut payment, 38_702, 5).unwrap().0, 5);
    assert_eq!(note(&mut payment, 38_700, 6), None);
}

#[test]
fn two_payments_of_an_order_are_an_exception_until_one_is_given_back_whole() {
    let mut order = order([
        with_state("LIQUIDADO", instant(1)),
        with_state("LIQUIDADO", instant(2)),
    ]);
    let twice = |order: &crate::payment::Order| {
        let found = order
            .payments
            .iter()
            .flat_map(|one| order.exceptions_of(one));
        let twice = found.filter(|one| one.kind == Kind::PaidTwice);
        twice.map(|one| one.since.as_millis()).collect::<Vec<_>>()
    };
    assert!(twice(&order).is_empty());
    order.facts.paid_twice = true;
    assert_eq!(twice(&order), [1, 2]);
    let payment = order.payment_mut(&key(2)).unwrap();
    // A promise gives nothing back.
    payment.ledger.method = payment_model::PaymentMethodName::CashCode;
    payment
        .ledger
        .give_back(returned("m", 38_700, false), instant(3))
        .unwrap();
    assert_eq!(twice(&order), [1, 2]);
    let payment = order.payment_mut(&key(2)).unwrap();
    payment.ledger.returns[0].state = staff_model::ReturnState::Done;
    assert!(twice(&order).is_empty());
}

#[test]
fn every_kind_has_a_place_by_urgency() {
    assert!(Kind::ALL.iter().all(|kind| BY_URGENCY.contains(kind)));
    assert_eq!(Kind::ALL.len(), BY_URGENCY.len());
}
