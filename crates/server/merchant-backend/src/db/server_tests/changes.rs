//! Two changes of one order at once.

use super::{Held, LEASE, ORDER, becomes, count, key, nodes, order, pending, run};
use crate::clock::{instant, moment, now};
use crate::db::connections::Db;
use crate::db::lock::Lock;
use crate::db::payments;
use crate::db::testing::{RECEIVER, of_shop};
use crate::db::{BeginAttemptOutcome, DbError};
use payment_rules::ledger::Ledger;
use payment_rules::ledger::fixture::reserve;
use payment_rules::operation::OperationRecord;
use payment_rules::operation::fixture::record;
use payment_rules::order::{OrderFacts, OrderState, SaveOrderOutcome, ShopOrder};
use payment_rules::payment::BeginAttemptError;
use tokio::runtime::Handle;

#[tokio::test]
async fn two_payments_of_one_order_at_once_are_told_as_paid_twice() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    pending(&a, "2").await;
    let held = Held::by(&place, ORDER).await;
    let one = tokio::spawn(becomes(a.clone(), "1", "LIQUIDADO"));
    let two = tokio::spawn(becomes(b, "2", "LIQUIDADO"));
    held.release_when_waiting(&place, 2).await;
    one.await.unwrap();
    two.await.unwrap();
    let order = a.order(&of_shop("order")).await.unwrap().unwrap();
    assert!(order.paid_twice && order.state == OrderState::Paid);
    let twice = "SELECT count(*) FROM events WHERE type = 'order.paid_twice'";
    assert_eq!(count(&place, twice).await, 1);
}

#[tokio::test]
async fn two_refunds_that_are_too_much_together_never_pass_together() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    becomes(a.clone(), "1", "LIQUIDADO").await;
    let ask = async |db: Db, id: &'static str| {
        let ask = move |ledger: &mut Ledger| {
            let enough = ledger.left() >= 20_000;
            if enough {
                reserve(ledger, id, 20_000, instant(0));
            }
            enough
        };
        db.change_ledger(&key("1"), ask)
            .await
            .map(|(_, passed)| passed)
    };
    // The rows of the ledger come after the operation's, so both have read what is left by then.
    let held = Held::by(&place, "SELECT 1 FROM operations FOR UPDATE").await;
    let (one, two, ()) = tokio::join!(
        ask(a.clone(), "one"),
        ask(b, "two"),
        held.release_when_waiting(&place, 2)
    );
    let passed = [one.unwrap(), two.unwrap()];
    assert_eq!(passed.iter().filter(|passed| **passed).count(), 1);
    let ledger = a.ledger(&key("1")).await.unwrap().unwrap();
    assert_eq!(ledger.left(), 18_700);
}

#[tokio::test]
async fn what_another_one_wrote_without_a_lock_is_not_lost() {
    let Some((place, a, _b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    // No code of the server does this: neither of them locks the order.
    let mut transaction = a.write(Lock::None).await.unwrap();
    let read = payments::find(&mut transaction, &key("1"))
        .await
        .unwrap()
        .unwrap();
    run(&place, "UPDATE operations SET version = version + 1").await;
    let mut changed = read.clone();
    changed.operation.failure_note = Some("mine".to_owned());
    let saved = payments::save(&mut transaction, Some(&read), &changed).await;
    assert_eq!(saved, Err(DbError::Changing));
}

#[tokio::test]
async fn nobody_overwrites_paid_with_what_was_read_before() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    let held = Held::by(&place, "SELECT 1 FROM operations FOR UPDATE").await;
    let one = tokio::spawn(becomes(a.clone(), "1", "LIQUIDADO"));
    let note = |record: &mut OperationRecord| record.failure_note = Some("a note".to_owned());
    let two = tokio::spawn(async move { b.change(&key("1"), note).await.unwrap() });
    held.release_when_waiting(&place, 2).await;
    one.await.unwrap();
    two.await.unwrap();
    assert!(a.operation(&key("1")).await.unwrap().unwrap().is_paid());
    let order = a.order(&of_shop("order")).await.unwrap().unwrap();
    assert_eq!(order.state, OrderState::Paid);
}

#[tokio::test]
async fn of_two_operations_of_one_order_one_is_live() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    let of = |number: &str| OperationRecord {
        key: key(number),
        callback_hash: number.to_owned(),
        ..record()
    };
    let (first, second) = (of("1"), of("2"));
    let held = Held::by(&place, ORDER).await;
    let (one, two, ()) = tokio::join!(
        a.put(&first),
        b.put(&second),
        held.release_when_waiting(&place, 2)
    );
    let both = [one.unwrap(), two.unwrap()];
    let live = |one: &&BeginAttemptOutcome| {
        matches!(
            one,
            BeginAttemptOutcome::Refused(BeginAttemptError::Live(_))
        )
    };
    assert!(both.contains(&BeginAttemptOutcome::Begun), "{both:?}");
    assert_eq!(both.iter().filter(live).count(), 1, "{both:?}");
}

#[tokio::test]
async fn a_delivery_and_a_new_event_of_its_order_leave_one_event_due() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    becomes(a.clone(), "1", "LIQUIDADO").await;
    let taken = a
        .take_due_events(RECEIVER, moment(), LEASE, 9)
        .await
        .unwrap();
    assert_eq!(taken.len(), 1);
    let held = Held::by(&place, ORDER).await;
    let seq = taken[0].seq;
    let delivered =
        tokio::spawn(async move { a.event_delivered(seq, RECEIVER, now()).await.unwrap() });
    let reversed = tokio::spawn(becomes(b.clone(), "1", "EXTORNADO"));
    held.release_when_waiting(&place, 2).await;
    delivered.await.unwrap();
    reversed.await.unwrap();
    let next = b
        .take_due_events(RECEIVER, moment(), LEASE, 9)
        .await
        .unwrap();
    assert_eq!(next.len(), 1);
    assert_eq!(next[0].kind, "order.reversed");
}

#[tokio::test]
async fn two_nodes_that_hear_of_a_new_order_keep_one_account() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    let told = |amount, at| ShopOrder {
        order: OrderFacts {
            amount,
            described_at: Some(instant(at)),
            ..order("order")
        },
        since: instant(at),
        time_to_pay: None,
    };
    let held = Held::by(
        &place,
        "INSERT INTO orders (merchant_code, order_id, session_hash, created_at, amount, currency,
             items, customer, state) VALUES ('shop', 'order', '', 0, 1, 'PEN', '[]', '{}', 'open')",
    )
    .await;
    let (older, newer) = (told(5, 1), told(6, 2));
    let (one, two, ()) = tokio::join!(
        a.save_shop_order(&newer),
        b.save_shop_order(&older),
        held.release_when_waiting(&place, 2)
    );
    assert!(matches!(one.unwrap(), SaveOrderOutcome::Saved(_)));
    assert!(matches!(two.unwrap(), SaveOrderOutcome::Saved(_)));
    assert_eq!(a.order(&of_shop("order")).await.unwrap().unwrap().amount, 6);
}

#[tokio::test]
async fn an_order_that_a_payer_begins_to_pay_is_not_removed() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    let held = Held::by(&place, ORDER).await;
    let first = record();
    let removal = tokio::spawn(async move { b.remove_abandoned(instant(1), 9).await.unwrap() });
    let reserved = a.put(&first);
    let (reserved, ()) = tokio::join!(reserved, held.release_when_waiting(&place, 2));
    let removed = removal.await.unwrap();
    // Whichever came first, the other one saw it.
    match reserved.unwrap() {
        BeginAttemptOutcome::Begun => assert_eq!(removed, 0),
        BeginAttemptOutcome::Refused(BeginAttemptError::OrderChanged) => assert_eq!(removed, 1),
        other => panic!("{other:?}"),
    }
}

/// A notification locks no order, so it may come between the load of an operation and its plan.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_that_meets_notifications_is_made_anew_until_it_fits() {
    let Some((place, a, _b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    let key = key("1");
    let planned = async |notifications: i64| {
        let mut tries = 0;
        let changed = a.change(&key, |operation| {
            tries += 1;
            if tries <= notifications {
                let hint = "UPDATE operations SET hinted_at = coalesce(hinted_at, 0) + 1";
                tokio::task::block_in_place(|| Handle::current().block_on(run(&place, hint)));
            }
            operation.failures += 1;
        });
        let changed = changed.await;
        (changed, a.operation(&key).await.unwrap().unwrap())
    };
    let (changed, stored) = planned(2).await;
    assert_eq!(changed, Ok(()));
    assert_eq!((stored.failures, stored.hinted_at), (1, Some(instant(2))));
    let (changed, stored) = planned(i64::MAX).await;
    assert_eq!(changed, Err(DbError::Changing));
    assert_eq!(stored.failures, 1);
}
