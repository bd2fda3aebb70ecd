use super::{BlockReleaseOutcome as Outcome, ReturnEndKind};
use crate::ledger::fixture::{doubtful, proof, requester, returned, reversal};
use crate::ledger::{
    AttemptReleaseError, GivenBack, Limits, NewAttempt, NewRefund, Purpose, Release,
    ReserveRefundsOutcome, ReturnEnd, ReturnEndError, ReturnError, ReversalReleaseError,
};
use crate::operation::OperationRecord;
use crate::operation::fixture::{pending, reading, with_state};
use crate::outgoing::SendFailure;
use crate::payment::fixture::{key, order};
use crate::payment::{Order, Orders};
use crate::timing::instant;
use payment_model::{PaymentMethodName, RefundType, TransactionId};
use staff_model::{AuditAction, RefundRefusalReason};

fn settled() -> OperationRecord {
    OperationRecord {
        method: PaymentMethodName::Installment,
        ..with_state("LIQUIDADO", instant(0))
    }
}

fn release(by: &str) -> Release {
    Release {
        by: by.to_owned(),
        at: instant(500),
        reason: "why".to_owned(),
    }
}

/// The acts on record, each with the end of its details.
fn acts(order: &Order) -> Vec<(AuditAction, &str)> {
    let audit = order.effects.audit.iter();
    audit
        .map(|record| (record.action.clone(), record.detail.as_str()))
        .collect()
}

fn refund(number: usize, item: u32, amount: u64) -> NewRefund {
    NewRefund {
        key: key(number),
        attempt: NewAttempt {
            id: format!("attempt-{item}"),
            kind: RefundType::Partial,
            amount,
            requester: requester("ana"),
            item,
        },
        transaction_id: TransactionId::new("t"),
        list_began_at: instant(10),
    }
}

#[test]
fn refunds_of_several_operations_are_reserved_and_recorded_together() {
    let mut orders = Orders(vec![order([settled(), settled()])]);
    let refunds = [refund(2, 0, 300), refund(1, 1, 200)];
    let given_back = [GivenBack::default(); 2];
    let limits = Limits::default();
    let outcome = orders.reserve_refunds(&refunds, limits, &given_back, instant(20));
    assert_eq!(outcome, ReserveRefundsOutcome::Reserved);
    let [order] = &orders.0[..] else { panic!() };
    assert_eq!(order.ledger(&key(1)).unwrap().left(), 38_500);
    assert_eq!(order.ledger(&key(2)).unwrap().left(), 38_400);
    let recorded: Vec<_> = order.effects.audit.iter().map(|one| &one.key).collect();
    assert_eq!(recorded, [&Some(key(2)), &Some(key(1))]);
    let details = &order.effects.audit[0].detail;
    assert!(
        details.contains("attempt-0") && details.contains("300"),
        "{details}"
    );
}

#[test]
fn the_only_refund_of_a_request_begins_with_its_reservation_and_several_begin_later() {
    for (refunds, begun) in [
        (vec![refund(1, 0, 300)], Some(instant(20))),
        (vec![refund(1, 0, 300), refund(2, 1, 200)], None),
    ] {
        let mut orders = Orders(vec![order([settled(), settled()])]);
        let given_back = vec![GivenBack::default(); refunds.len()];
        let limits = Limits::default();
        let outcome = orders.reserve_refunds(&refunds, limits, &given_back, instant(20));
        assert_eq!(outcome, ReserveRefundsOutcome::Reserved);
        let ledger = orders.0[0].ledger(&key(1)).unwrap();
        assert_eq!(ledger.attempts[0].begun_at, begun);
        assert_eq!(ledger.watch.due_at.is_some(), begun.is_some());
    }
}

#[test]
fn an_operation_that_is_named_twice_or_is_not_there_gets_no_other_ones_ledger() {
    let mut orders = Orders(vec![order([settled(), settled()])]);
    let before = orders.0.clone();
    let refunds = [
        refund(1, 0, 1),
        refund(1, 1, 2),
        refund(9, 2, 3),
        refund(2, 3, 4),
    ];
    let given_back = [GivenBack::default(); 4];
    let limits = Limits::default();
    let outcome = orders.reserve_refunds(&refunds, limits, &given_back, instant(20));
    let ReserveRefundsOutcome::Refused(refused) = outcome else {
        panic!("{outcome:?}")
    };
    let reasons: Vec<_> = refused.iter().map(|one| (one.index, one.reason)).collect();
    let expected = [
        (1, RefundRefusalReason::Twice),
        (2, RefundRefusalReason::NotFound),
    ];
    assert_eq!(reasons, expected);
    assert_eq!(orders.0, before);
}

#[test]
fn a_refused_refund_leaves_no_record() {
    let mut orders = Orders(vec![order([settled()])]);
    let too_much = [refund(1, 0, 38_701)];
    let given_back = [GivenBack::default()];
    let outcome = orders.reserve_refunds(&too_much, Limits::default(), &given_back, instant(20));
    assert!(matches!(outcome, ReserveRefundsOutcome::Refused(_)));
    assert_eq!(orders.0[0].effects.audit, []);
}

#[test]
fn a_return_is_recorded_with_its_act() {
    let mut paid = order([with_state("AUTORIZADO", instant(0))]);
    let recorded = paid.record_return(&key(1), returned("ret", 300, false), instant(1));
    assert_eq!(recorded.unwrap().amount, 300);
    assert_eq!(paid.ledger(&key(1)).unwrap().left(), 38_400);
    assert_eq!(acts(&paid)[0].0, AuditAction::Return);
    assert!(acts(&paid)[0].1.contains("ret"));
    let mut open = order([pending()]);
    let refused = open.record_return(&key(1), returned("ret", 300, false), instant(1));
    assert_eq!(refused, Err(ReturnError::NotPaid));
    let elsewhere = open.record_return(&key(2), returned("ret", 300, false), instant(1));
    assert_eq!(elsewhere, Err(ReturnError::NotPaid));
    assert_eq!(acts(&open), []);
}

#[test]
fn each_end_of_a_return_has_its_act() {
    let end = |by: &str| ReturnEnd {
        by: by.to_owned(),
        at: instant(2),
        reason: "why".to_owned(),
    };
    let ended = |kind, by: &[&str]| {
        let mut order = order([with_state("AUTORIZADO", instant(0))]);
        let new = returned("ret", 300, false);
        order.record_return(&key(1), new, instant(1)).unwrap();
        order.effects.audit.clear();
        for by in by {
            order.end_return(&key(1), "ret", kind, end(by)).unwrap();
        }
        let acts = order.effects.audit.into_iter();
        acts.map(|one| (one.action, one.detail)).collect::<Vec<_>>()
    };
    let made = (
        AuditAction::ReturnDone,
        "return ret was made: why".to_owned(),
    );
    // A repetition is no act.
    assert_eq!(ended(ReturnEndKind::Made, &["ana", "ana"]), [made]);
    let detail = "return ret was given up: why".to_owned();
    let given_up = (AuditAction::ReturnGivenUp, detail);
    let by_one = ended(ReturnEndKind::GivenUp, &["ana"]);
    assert_eq!(by_one, std::slice::from_ref(&given_up));
    let detail = "return ret is to be given up: why".to_owned();
    let asked = (AuditAction::AskReturnGivenUp, detail);
    let both = ended(ReturnEndKind::GivenUp, &["bea", "ana"]);
    assert_eq!(both, [asked, given_up]);
    let mut none = order([pending()]);
    let missing = none.end_return(&key(1), "ret", ReturnEndKind::Made, end("ana"));
    assert_eq!(missing, Err(ReturnEndError::NotFound));
}

#[test]
fn a_released_refund_attempt_has_its_act_and_a_refused_release_none() {
    let mut order = order([settled()]);
    order.payments[0].ledger = doubtful("attempt", 100, instant(1));
    let at = reading(instant(500));
    let same = order.release_refund_attempt(&key(1), "attempt", release("ana"), proof(), at);
    assert_eq!(same, Err(AttemptReleaseError::SamePerson));
    assert_eq!(acts(&order), []);
    let other = order.release_refund_attempt(&key(1), "attempt", release("bea"), proof(), at);
    assert!(other.is_ok());
    let act = (AuditAction::ReleaseAttempt, "released attempt attempt: why");
    assert_eq!(acts(&order), [act]);
    let missing = order.release_refund_attempt(&key(2), "attempt", release("bea"), proof(), at);
    assert_eq!(missing, Err(AttemptReleaseError::NotFound));
}

#[test]
fn what_a_program_of_the_shop_asked_for_is_released_by_two() {
    let mut order = order([settled()]);
    let ledger = &mut order.payments[0].ledger;
    *ledger = doubtful("attempt", 100, instant(1));
    ledger.attempts[0].requester.staff = "shop:1".to_owned();
    let at = reading(instant(500));
    let mut release_by = |who| {
        let released = order.release_refund_attempt(&key(1), "attempt", release(who), proof(), at);
        released.map(drop)
    };
    assert_eq!(release_by("ana"), Err(AttemptReleaseError::SecondPerson));
    assert_eq!(release_by("ana"), Err(AttemptReleaseError::SamePerson));
    assert_eq!(release_by("bea"), Ok(()));
    assert_eq!(acts(&order).len(), 2);
}

#[test]
fn a_reversal_beside_a_payment_is_released_by_two() {
    let mut order = order([pending()]);
    let cancel = reversal("cancel", Purpose::Cancel, instant(0));
    let ledger = &mut order.payments[0].ledger;
    ledger.reserve_reversal(cancel, reading(instant(0)));
    let doubt = SendFailure::NoAnswer.because("silence");
    ledger.end_reversal("cancel", doubt, reading(instant(1)));
    ledger.outcome = Some(payment_model::Outcome::Paid);
    let at = reading(instant(500));
    let asked = order.release_reversal(&key(1), "cancel", release("ana"), at);
    assert_eq!(asked, Err(ReversalReleaseError::SecondPerson));
    let again = order.release_reversal(&key(1), "cancel", release("ana"), at);
    assert_eq!(again, Err(ReversalReleaseError::SamePerson));
    assert!(
        order
            .release_reversal(&key(1), "cancel", release("bea"), at)
            .is_ok()
    );
    let released = |act| (AuditAction::ReleaseReversal, act);
    let expected = [
        released("asked to release reversal cancel: why"),
        released("released reversal cancel: why"),
    ];
    assert_eq!(acts(&order), expected);
}

const LATER: i64 = 3_600_000;

/// An order that its operation has blocked since an instant.
fn blocked(since: i64) -> Order {
    let mut blocking = pending();
    blocking.block(instant(since));
    order([blocking])
}

fn ask(order: &mut Order, staff: &str) -> Outcome {
    order.release_block(&key(1), staff, "why", instant(LATER))
}

fn actions(order: &Order) -> Vec<AuditAction> {
    let audit = order.effects.audit.iter();
    audit.map(|record| record.action.clone()).collect()
}

#[test]
fn one_person_asks_and_another_one_releases() {
    let mut order = blocked(0);
    assert_eq!(ask(&mut order, "ana"), Outcome::Asked);
    assert!(order.payments[0].operation.live);
    assert_eq!(ask(&mut order, "ana"), Outcome::SamePerson);
    assert_eq!(ask(&mut order, "bea"), Outcome::Released);
    assert!(!order.payments[0].operation.live);
    let released = order.payments[0].block_release.as_ref().unwrap();
    assert_eq!(released.asked_by, "ana");
    assert_eq!(released.released, Some(("bea".to_owned(), instant(LATER))));
    let expected = [AuditAction::AskReleaseOrder, AuditAction::ReleaseOrder];
    assert_eq!(actions(&order), expected);
    assert_eq!(ask(&mut order, "ana"), Outcome::NotBlocked);
}

#[test]
fn a_later_block_needs_a_request_of_its_own() {
    let mut order = blocked(0);
    ask(&mut order, "ana");
    order.payments[0].operation.blocked_since = Some(instant(1));
    assert_eq!(ask(&mut order, "bea"), Outcome::Asked);
}

#[test]
fn a_block_that_is_young_or_of_another_order_is_not_released() {
    let mut young = blocked(LATER);
    assert_eq!(ask(&mut young, "ana"), Outcome::NotBlocked);
    let mut other = blocked(0);
    let outcome = other.release_block(&key(2), "ana", "why", instant(LATER));
    assert_eq!(outcome, Outcome::NotBlocked);
    assert_eq!(actions(&other), []);
}
