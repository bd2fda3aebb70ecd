use super::StoredEvent;
use crate::clock::{Moment, instant, now};
use crate::db::Db;
use crate::db::due::tests::run;
use crate::db::testing::Place;
use payment_rules::operation::fixture::{record, with_state};
use payment_rules::order::fixture::order;
use std::time::Duration;

/// A database with an order that was paid and reversed.
async fn reversed(place: &Place) -> Db {
    let db = place.open().await;
    db.add_order(&order("order")).await.unwrap();
    let sent = record();
    db.put(&sent).await.unwrap();
    for state in ["AUTORIZADO", "LIQUIDADO", "EXTORNADO", "EXTORNADO"] {
        let told = with_state(state, instant(0));
        let change =
            |record: &mut payment_rules::operation::OperationRecord| *record = told.clone();
        db.change(&sent.key, change).await.unwrap();
    }
    db
}

const FAR: i64 = 4_000_000_000_000;

fn both(now: i64) -> Moment {
    Moment {
        wall: instant(now),
        steady: instant(now),
    }
}

async fn take(db: &Db, now: i64) -> Vec<StoredEvent> {
    db.take_due_events(both(now), Duration::from_secs(1), 10)
        .await
        .unwrap()
}

#[tokio::test]
async fn one_event_of_an_order_is_taken_at_a_time_and_by_one() {
    let place = Place::new().await;
    let db = reversed(&place).await;
    let first = take(&db, FAR).await;
    assert_eq!(first.len(), 1);
    assert_eq!(first[0].kind, "order.paid");
    assert!(take(&db, FAR + 999).await.is_empty());
    // The lease is over, so its holder is gone.
    place.end_leases(&db).await;
    assert_eq!(take(&db, FAR + 1000).await, first);
    db.event_failed(first[0].seq, instant(FAR + 5000))
        .await
        .unwrap();
    assert_eq!(
        db.next_due_event(both(FAR)).await.unwrap(),
        Some(instant(FAR + 5000))
    );
    assert_eq!(take(&db, FAR + 5000).await[0].failures, 1);
    db.event_delivered(first[0].seq, instant(FAR))
        .await
        .unwrap();
    db.event_delivered(first[0].seq, instant(FAR))
        .await
        .unwrap();
    let second = take(&db, FAR).await;
    assert_eq!(second[0].kind, "order.reversed");
    db.event_delivered(second[0].seq, instant(FAR + 1))
        .await
        .unwrap();
    assert_eq!(db.next_due_event(both(FAR)).await.unwrap(), None);
}

async fn count(db: &Db) -> i64 {
    let count = sqlx::query_scalar("SELECT count(*) FROM events");
    count
        .fetch_one(&mut *db.reader().await.unwrap())
        .await
        .unwrap()
}

#[tokio::test]
async fn what_was_delivered_is_removed_later_and_nothing_else() {
    let place = Place::new().await;
    let db = reversed(&place).await;
    let first = take(&db, FAR).await;
    db.event_delivered(first[0].seq, instant(FAR))
        .await
        .unwrap();
    db.prune_events(instant(FAR), false).await.unwrap();
    assert_eq!(count(&db).await, 2);
    db.prune_events(instant(FAR + 1), false).await.unwrap();
    assert_eq!(count(&db).await, 1);
    // Without a receiver, undelivered events are removed, too.
    db.prune_events(instant(0), true).await.unwrap();
    assert_eq!(count(&db).await, 1);
    db.prune_events(instant(FAR), true).await.unwrap();
    assert_eq!(count(&db).await, 0);
}

#[tokio::test]
async fn a_cursor_from_before_a_restore_skips_nothing_that_happens_after_it() {
    let place = Place::new().await;
    let db = reversed(&place).await;
    let events = async |after| {
        let page = db.events_after("shop", after, 10).await.unwrap().unwrap();
        (page.events.len(), Some(page.next))
    };
    let orders = async |after| {
        let page = db.orders_after("shop", after, 10).await.unwrap();
        (page.orders.len(), page.next)
    };
    assert_eq!((events(None).await.0, orders(0).await.0), (2, 1));
    // Twice, and each time a backup without any position comes back.
    for second in [1, 2] {
        let (event_cursor, order_cursor) = (events(None).await.1, orders(0).await.1);
        assert_eq!(events(event_cursor).await.0, 0);
        assert_eq!(orders(order_cursor).await.0, 0);
        let back = "UPDATE events SET position = NULL; UPDATE orders SET position = NULL;
             DELETE FROM order_numbers WHERE name IN ('event position', 'order position')";
        run(&db, back).await;
        let at = now().saturating_add(Duration::from_secs(second));
        db.set_fence(at).await.unwrap();
        assert_eq!(events(event_cursor).await.0, 2);
        assert_eq!(orders(order_cursor).await.0, 1);
    }
}
