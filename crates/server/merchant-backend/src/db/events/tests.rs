use crate::clock::{instant, now};
use crate::db::Db;
use crate::db::deliveries::tests::{FAR, reverse, reversed, take};
use crate::db::due::tests::run;
use crate::db::testing::{Place, RECEIVER};
use payment_rules::event::EventFilter;
use std::time::Duration;

async fn count(db: &Db) -> i64 {
    let count = sqlx::query_scalar("SELECT count(*) FROM events");
    count
        .fetch_one(&mut db.reader().await.unwrap())
        .await
        .unwrap()
}

#[tokio::test]
async fn what_was_delivered_is_removed_later_and_nothing_else() {
    let place = Place::new().await;
    let db = place.open().await;
    let all = EventFilter::default;
    db.set_receivers(&[(RECEIVER, all()), ("erp", all())]).await;
    reverse(&db).await;
    let first = take(&db, FAR).await;
    for receiver in [RECEIVER, "erp"] {
        // An event is kept until each receiver has it.
        db.prune_events(instant(FAR + 1)).await.unwrap();
        assert_eq!(count(&db).await, 2);
        db.event_delivered(first[0].seq, receiver, instant(FAR))
            .await
            .unwrap();
    }
    db.prune_events(instant(FAR)).await.unwrap();
    assert_eq!(count(&db).await, 2);
    db.prune_events(instant(FAR + 1)).await.unwrap();
    assert_eq!(count(&db).await, 1);
}

#[tokio::test]
async fn what_nobody_wants_or_a_receiver_that_is_gone_is_removed_later() {
    let place = Place::new().await;
    let db = reversed(&place).await;
    db.set_receivers(&[("stock", EventFilter::Named(Vec::new()))])
        .await;
    db.prune_events(instant(0)).await.unwrap();
    assert_eq!(count(&db).await, 2);
    db.prune_events(instant(FAR)).await.unwrap();
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
        let page = db.orders_after("shop", after, 10).await.unwrap().unwrap();
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

#[tokio::test]
async fn the_next_event_is_due_after_an_older_one_was_removed() {
    let place = Place::new().await;
    let db = reversed(&place).await;
    db.set_receivers(&[]).await;
    let older = "UPDATE events SET created_at = 1 WHERE type = 'order.paid'";
    run(&db, older).await;
    db.prune_events(instant(2)).await.unwrap();
    assert_eq!(count(&db).await, 1);
    // The settings name the receiver again.
    assert_eq!(take(&db, FAR).await[0].kind, "order.reversed");
}

#[tokio::test]
async fn a_receiver_of_another_server_stays_for_a_day() {
    let Some(place) = Place::server().await else {
        return;
    };
    let db = place.open().await;
    let others = [("erp", EventFilter::default())];
    let note = async |at| {
        let receivers = others.iter().map(|(name, filter)| (*name, filter));
        db.note_receivers(receivers, at).await.unwrap();
    };
    note(now()).await;
    reverse(&db).await;
    assert_eq!(take(&db, FAR).await.len(), 1);
    note(now().saturating_add(Duration::from_hours(25))).await;
    db.prune_events(instant(FAR)).await.unwrap();
    assert!(take(&db, FAR + 100_000).await.is_empty());
    assert_eq!(count(&db).await, 2);
}

#[tokio::test]
async fn a_cursor_is_refused_once_an_event_after_it_is_removed_whatever_was_removed_before() {
    let place = Place::new().await;
    let db = reversed(&place).await;
    let events = async |after| db.events_after("shop", after, 1).await.unwrap();
    let remove = async |kind: &str| {
        let older = format!("UPDATE events SET created_at = 1 WHERE type = '{kind}'");
        run(&db, &older).await;
        run(&db, "DELETE FROM deliveries").await;
        db.prune_events(instant(2)).await.unwrap();
    };
    // The later one is removed first, as a fence keeps older ones, and the program knows of that gap.
    remove("order.reversed").await;
    let first = events(None).await.unwrap();
    assert_eq!(first.events.len(), 1);
    let before = crate::db::EventCursor {
        position: 0,
        ..first.next
    };
    assert!(events(Some(before)).await.is_some());
    remove("order.paid").await;
    assert!(events(Some(before)).await.is_none());
    // Nothing after this cursor was removed since it was given.
    let now = events(None).await.unwrap().next;
    assert!(events(Some(now)).await.is_some());
}
