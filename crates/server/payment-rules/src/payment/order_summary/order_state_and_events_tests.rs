use super::events_between;
use crate::event::{Event, EventDetails, EventKind, Refunded};
use crate::forget_payer::forgotten;
use crate::ledger::Purpose;
use crate::ledger::fixture::refused;
use crate::ledger::fixture::{refund, reversal};
use crate::operation::OperationRecord;
use crate::operation::fixture::{pending, reading, with_state};
use crate::order::OrderState;
use crate::payment::Order;
use crate::payment::fixture::{key, order};
use crate::timing::instant;
use payment_model::Outcome;

/// Changes an order and concludes the change; returns its events.
fn change(order: &mut Order, change: impl FnOnce(&mut Order)) -> Vec<Event> {
    let before = order.clone();
    change(order);
    order.conclude(&before, instant(9)).unwrap();
    events_between(&before, order)
}

fn settle(order: &mut Order, number: usize) {
    let payment = order.payment_mut(&key(number)).unwrap();
    payment.operation = OperationRecord {
        key: key(number),
        ..with_state("LIQUIDADO", instant(1))
    };
}

fn kinds(events: &[Event]) -> Vec<EventKind> {
    events.iter().map(|event| event.kind).collect()
}

#[test]
fn a_payment_pays_its_order_and_a_second_one_marks_it_for_good() {
    let mut order = order([pending(), pending()]);
    assert_eq!(change(&mut order, |_| {}), []);
    let paid = change(&mut order, |order| settle(order, 1));
    assert_eq!(kinds(&paid), [EventKind::OrderPaid]);
    assert_eq!(paid[0].order_state, OrderState::Paid);
    assert_eq!(paid[0].transaction_id.as_deref(), Some("t"));
    assert!(!order.facts.paid_twice);
    let twice = change(&mut order, |order| settle(order, 2));
    assert_eq!(kinds(&twice), [EventKind::OrderPaidTwice]);
    assert!(order.facts.paid_twice);
    // Both are given back.
    let reversed = change(&mut order, |order| {
        for payment in &mut order.payments {
            let key = payment.operation.key.clone();
            let reversed = with_state("EXTORNADO", instant(2));
            payment.operation = OperationRecord { key, ..reversed };
        }
    });
    assert_eq!(kinds(&reversed), [EventKind::OrderReversed; 2]);
    assert_eq!(order.facts.state, OrderState::Open);
    assert!(order.facts.paid_twice);
}

#[test]
fn a_payment_of_a_closed_order_is_late() {
    let mut order = order([pending(), pending()]);
    order.closed_at = Some(instant(1));
    let late = change(&mut order, |order| settle(order, 1));
    assert_eq!(kinds(&late), [EventKind::OrderPaidLate]);
    assert_eq!(order.payments[0].operation.paid_late_at, Some(instant(9)));
    assert_eq!(order.facts.state, OrderState::Paid);
}

#[test]
fn an_order_ends_unpaid_once_when_nothing_can_be_paid_any_more() {
    let mut order = order([pending()]);
    let end = |order: &mut Order, at: i64| {
        let events = change(order, |order| order.end_unpaid(instant(at)));
        events
            .into_iter()
            .map(|event| event.details)
            .collect::<Vec<_>>()
    };
    assert_eq!(end(&mut order, 10), []);
    order.facts.pay_until = Some(instant(5));
    // Its code can still be paid.
    assert_eq!(end(&mut order, 10), []);
    order.payments[0].operation.live = false;
    assert_eq!(end(&mut order, 10), []);
    order.payments[0].operation = with_state("EXPIRADO", instant(0));
    assert_eq!(end(&mut order, 4), []);
    order.fence = Some(instant(100));
    assert_eq!(end(&mut order, 10), []);
    order.fence = None;
    let may_be_paid_late = true;
    let told = EventDetails::Unpaid { may_be_paid_late };
    assert_eq!(end(&mut order, 10), [told]);
    assert_eq!(end(&mut order, 11), []);
    assert!(order.facts.has_ended(instant(0)));
    let late = change(&mut order, |order| settle(order, 1));
    assert_eq!(kinds(&late), [EventKind::OrderPaidLate]);
}

#[test]
fn an_order_that_the_shop_closed_ends_unpaid_and_a_paid_one_does_not() {
    let mut closed = order([]);
    closed.closed_at = Some(instant(1));
    let events = change(&mut closed, |order| order.end_unpaid(instant(2)));
    let may_be_paid_late = false;
    assert_eq!(events[0].details, EventDetails::Unpaid { may_be_paid_late });
    assert_eq!(events[0].number, None);
    let mut paid = order([pending()]);
    change(&mut paid, |order| settle(order, 1));
    paid.closed_at = Some(instant(1));
    assert_eq!(change(&mut paid, |order| order.end_unpaid(instant(2))), []);
}

#[test]
fn a_payment_is_announced_when_no_request_can_give_it_back_any_more() {
    let mut order = order([pending()]);
    let cancel = reversal("cancel", Purpose::Cancel, instant(0));
    let ledger = &mut order.payments[0].ledger;
    ledger.reserve_reversal(cancel, reading(instant(0)));
    assert_eq!(change(&mut order, |order| settle(order, 1)), []);
    assert_eq!(order.facts.state, OrderState::Open);
    let ended = change(&mut order, |order| {
        let ledger = &mut order.payments[0].ledger;
        let refused = refused(400);
        ledger.end_reversal("cancel", refused, reading(instant(1)));
    });
    assert_eq!(kinds(&ended), [EventKind::OrderPaid]);
}

#[test]
fn a_payment_that_our_cancellation_gave_back_ends_its_attempt_in_events_and_audit() {
    for held in [false, true] {
        let mut order = order([pending()]);
        let cancel = reversal("cancel", Purpose::Cancel, instant(0));
        let ledger = &mut order.payments[0].ledger;
        ledger.reserve_reversal(cancel, reading(instant(0)));
        if held {
            assert_eq!(change(&mut order, |order| settle(order, 1)), []);
        }
        let events = change(&mut order, |order| {
            let key = order.payments[0].operation.key.clone();
            let reversed = with_state("EXTORNADO", instant(2));
            order.payments[0].operation = OperationRecord { key, ..reversed };
        });
        assert_eq!(kinds(&events), [EventKind::OrderCanceled], "{held}");
        assert_eq!(events[0].details, EventDetails::Ended(Outcome::Reversed));
        assert_eq!(order.effects.audit.len(), 1, "{held}");
    }
}

#[test]
fn each_end_of_a_refund_is_one_event() {
    let mut order = order([pending()]);
    change(&mut order, |order| settle(order, 1));
    let mut list = |state: &str| {
        change(&mut order, |order| {
            let ledger = &mut order.payments[0].ledger;
            let units = crate::service_answers::AmountUnits::Cents;
            ledger.merge_refunds(&[refund("r", state, "100")], units, instant(5));
        })
    };
    assert_eq!(list("IN_PROCESS"), []);
    let rejected = list("REJECTED");
    assert_eq!(kinds(&rejected), [EventKind::RefundRejected]);
    let refunded = Refunded {
        refund_id: "r".to_owned(),
        cents: Some(100),
        request_id: None,
    };
    assert_eq!(rejected[0].details, EventDetails::Refund(refunded));
    assert_eq!(rejected[0].order_state, OrderState::Paid);
    assert_eq!(list("REJECTED"), []);
    assert_eq!(kinds(&list("RESOLVED")), [EventKind::RefundResolved]);
    assert_eq!(list("IN_PROCESS"), []);
}

#[test]
fn a_refund_that_two_lists_call_rejected_after_it_was_resolved_is_told_and_stays_counted() {
    let mut order = order([pending()]);
    change(&mut order, |order| settle(order, 1));
    let mut list = |state: &str, at: i64| {
        let events = change(&mut order, |order| {
            let ledger = &mut order.payments[0].ledger;
            let units = crate::service_answers::AmountUnits::Cents;
            ledger.merge_refunds(&[refund("r", state, "100")], units, instant(at));
        });
        let ledger = &order.payments[0].ledger;
        (
            kinds(&events),
            ledger.balance().given_back,
            ledger.awaits_a_list(instant(at)),
        )
    };
    assert_eq!(
        list("RESOLVED", 1),
        (vec![EventKind::RefundResolved], 100, false)
    );
    assert_eq!(list("REJECTED", 2), (vec![], 100, true));
    assert_eq!(
        list("REJECTED", 3),
        (vec![EventKind::RefundRejected], 100, false)
    );
    assert_eq!(list("REJECTED", 4), (vec![], 100, false));
    assert_eq!(list("RESOLVED", 5), (vec![], 100, false));
    assert_eq!(list("REJECTED", 6), (vec![], 100, true));
}

#[test]
fn an_older_state_of_a_refund_is_no_event() {
    let mut order = order([pending()]);
    change(&mut order, |order| settle(order, 1));
    let mut list = |state: &str| {
        change(&mut order, |order| {
            let ledger = &mut order.payments[0].ledger;
            let units = crate::service_answers::AmountUnits::Cents;
            ledger.merge_refunds(&[refund("r", state, "100")], units, instant(5));
        })
    };
    assert_eq!(kinds(&list("RESOLVED")), [EventKind::RefundResolved]);
    assert_eq!(list("IN_PROCESS"), []);
}

#[test]
fn a_forgotten_payer_stays_forgotten_when_an_answer_comes() {
    let mut order = order([pending()]);
    order.payer_is_forgotten = true;
    change(&mut order, |order| settle(order, 1));
    let payment = &order.payments[0];
    let operation = with_state("LIQUIDADO", instant(1));
    assert_ne!(payment.operation.operation, operation.operation);
    let stored = payment.operation.operation.as_ref().unwrap();
    assert_eq!(*stored, forgotten(stored).unwrap());
    let answer = payment.operation.answer.as_ref().unwrap();
    assert_eq!(*answer, forgotten(answer).unwrap());
}
