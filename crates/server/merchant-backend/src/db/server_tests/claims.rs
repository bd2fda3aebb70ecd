//! Numbers, keys and due rows, which one node takes for itself.

use super::{Held, LEASE, count, nodes, order, request, run};
use crate::clock::{Moment, instant, moment, now};
use crate::db::BeginAttemptOutcome;
use crate::db::due::tests::filled;
use crate::db::testing::RECEIVER;
use payment_model::Timestamp;
use payment_rules::idempotency::KeyState;
use payment_rules::operation::OperationRecord;
use payment_rules::operation::fixture::record;
use serde_json::Value;
use std::time::Duration;

#[tokio::test]
async fn a_number_is_used_once_whichever_orders_want_it() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    for id in ["order", "other", "third"] {
        a.add_order(&order(id)).await.unwrap();
    }
    let of = |order_id: &str| OperationRecord {
        order_id: order_id.to_owned(),
        callback_hash: order_id.to_owned(),
        ..record()
    };
    let held = Held::by(
        &place,
        "INSERT INTO operations (document, merchant_code, merchant_operation_number, order_id, phase, live,
             method_name, amount, currency, callback_hash, created_at, changed_at, failures)
         VALUES ('{}', 'shop', '1', 'third', 'known', 0, 'QR', 1, 'PEN', 'third', 0, 0, 0)",
    )
    .await;
    let (first, second) = (of("order"), of("other"));
    let (one, two, ()) = tokio::join!(
        a.put(&first),
        b.put(&second),
        held.release_when_waiting(&place, 2)
    );
    let both = [one.unwrap(), two.unwrap()];
    assert!(both.contains(&BeginAttemptOutcome::Begun), "{both:?}");
    assert!(both.contains(&BeginAttemptOutcome::NumberTaken), "{both:?}");
}

#[tokio::test]
async fn one_key_at_two_nodes_at_once_runs_at_one() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    let held = Held::by(
        &place,
        "INSERT INTO idempotency_keys (sender_kind, sender, key, fingerprint, created_at)
         VALUES ('payer', 'hash', 'key', 'f', 0)",
    )
    .await;
    let request = request();
    let (one, two, ()) = tokio::join!(
        a.claim::<Value>(&request, moment(), LEASE),
        b.claim::<Value>(&request, moment(), LEASE),
        held.release_when_waiting(&place, 2)
    );
    let both = [one.unwrap(), two.unwrap()];
    assert_eq!(both.iter().filter(|one| one.is_ok()).count(), 1, "{both:?}");
    assert!(both.contains(&Err(KeyState::Running)), "{both:?}");
}

#[tokio::test]
async fn a_key_that_is_answered_at_this_moment_does_not_run_again() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    let request = request();
    let claimed = a.claim::<Value>(&request, moment(), Duration::ZERO).await;
    assert!(claimed.unwrap().is_ok());
    // The lease is over. Its holder answers after all, just when another node would claim it.
    let mut holder = place.beside().await;
    sqlx::raw_sql("BEGIN; UPDATE idempotency_keys SET answer = '1', running_until = NULL")
        .execute(&mut holder)
        .await
        .unwrap();
    let again = tokio::spawn(async move { b.claim::<Value>(&request, moment(), LEASE).await });
    let held = Held::by(&place, "SELECT 1").await;
    held.release_when_waiting(&place, 1).await;
    sqlx::raw_sql("COMMIT").execute(&mut holder).await.unwrap();
    let answered = Err(KeyState::Answered(serde_json::json!(1)));
    assert_eq!(again.await.unwrap().unwrap(), answered);
}

#[tokio::test]
async fn due_rows_go_to_one_node_and_a_lease_ends_by_the_clock_of_the_database() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    let a_due = filled(&place, 6).await;
    drop(a_due);
    run(
        &place,
        "UPDATE operations SET due_at = 10, planned_at = 5;
         UPDATE refund_watches SET due_at = 10, planned_at = 5;
         UPDATE deliveries SET due_at = 10, planned_at = 5",
    )
    .await;
    // Another one is taking two of them.
    let held = Held::by(
        &place,
        "SELECT 1 FROM operations WHERE order_id IN ('1', '2') FOR UPDATE",
    )
    .await;
    let first = a.take_due(moment(), LEASE, 2).await.unwrap();
    let second = b.take_due(moment(), LEASE, 9).await.unwrap();
    assert_eq!((first.len(), second.len()), (2, 2));
    held.release_when_waiting(&place, 0).await;
    assert_eq!(b.take_due(moment(), LEASE, 9).await.unwrap().len(), 2);
    // A node whose steady clock is a day ahead or behind.
    for steady in [0, moment().steady.as_millis() + 86_400_000] {
        let off = Moment {
            steady: instant(steady),
            ..moment()
        };
        assert!(b.take_due(off, LEASE, 9).await.unwrap().is_empty());
        let next = b.next_due(off).await.unwrap().unwrap();
        let rest = next.duration_since(now());
        assert!(rest > LEASE / 2 && rest <= LEASE, "{rest:?}");
    }
    assert_eq!(
        b.take_due_refunds(moment(), LEASE, 9).await.unwrap().len(),
        6
    );
    assert_eq!(
        b.take_due_events(RECEIVER, moment(), LEASE, 9)
            .await
            .unwrap()
            .len(),
        6
    );
    place.end_leases(&a).await;
    assert_eq!(a.take_due(moment(), LEASE, 9).await.unwrap().len(), 6);
    assert_eq!(
        a.take_due_refunds(moment(), LEASE, 9).await.unwrap().len(),
        6
    );
    assert_eq!(
        a.take_due_events(RECEIVER, moment(), LEASE, 9)
            .await
            .unwrap()
            .len(),
        6
    );
}

#[tokio::test]
async fn a_plan_of_a_clock_that_was_set_back_is_due_and_one_that_is_nearly_now_is_not() {
    let Some((place, a, _b)) = nodes().await else {
        return;
    };
    drop(filled(&place, 1).await);
    let far = now().saturating_add(Duration::from_hours(1));
    for (planned_in, is_due) in [(0, 0), (1_000, 0), (60_000, 1)] {
        let sql = format!(
            "UPDATE operations SET due_at = {far}, planned_at = {now} + {planned_in},
                 leased_until = NULL",
            now = now(),
        );
        run(&place, &sql).await;
        let taken = a.take_due(moment(), LEASE, 9).await.unwrap();
        assert_eq!(taken.len(), is_due, "{planned_in}");
    }
}

#[tokio::test]
async fn a_node_follows_the_clock_of_the_database() {
    let Some((place, a, _b)) = nodes().await else {
        return;
    };
    a.follow_clock().await.unwrap();
    let sql = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)";
    let told = Timestamp::from_millis(count(&place, sql).await);
    let apart = now().duration_since(told).max(told.duration_since(now()));
    assert!(apart < Duration::from_secs(1), "{apart:?}");
}
