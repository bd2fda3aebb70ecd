use super::DueEvent;
use crate::clock::{Moment, instant};
use crate::db::Db;
use crate::db::testing::{Place, RECEIVER};
use payment_rules::event::{EventFilter, EventKind};
use payment_rules::operation::OperationRecord;
use payment_rules::operation::fixture::{record, with_state};
use payment_rules::order::fixture::order;
use std::time::Duration;

/// A database with an order that was paid and reversed.
pub(in crate::db) async fn reversed(place: &Place) -> Db {
    let db = place.open().await;
    reverse(&db).await;
    db
}

/// An order that is paid and reversed.
pub(in crate::db) async fn reverse(db: &Db) {
    pay(db).await;
    reverse_paid(db).await;
}

async fn pay(db: &Db) {
    db.add_order(&order("order")).await.unwrap();
    db.put(&record()).await.unwrap();
    become_each(db, &["AUTORIZADO", "LIQUIDADO"]).await;
}

async fn reverse_paid(db: &Db) {
    become_each(db, &["EXTORNADO", "EXTORNADO"]).await;
}

async fn become_each(db: &Db, states: &[&str]) {
    for state in states {
        let told = with_state(state, instant(0));
        let change = |record: &mut OperationRecord| *record = told.clone();
        db.change(&record().key, change).await.unwrap();
    }
}

pub(in crate::db) const FAR: i64 = 4_000_000_000_000;

fn both(now: i64) -> Moment {
    Moment {
        wall: instant(now),
        steady: instant(now),
    }
}

pub(in crate::db) async fn take(db: &Db, now: i64) -> Vec<DueEvent> {
    take_for(db, RECEIVER, now).await
}

pub(in crate::db) async fn take_for(db: &Db, receiver: &str, now: i64) -> Vec<DueEvent> {
    db.take_due_events(receiver, both(now), Duration::from_secs(1), 10)
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
    db.event_failed(first[0].seq, RECEIVER, instant(FAR + 5000))
        .await
        .unwrap();
    assert_eq!(
        db.next_due_event(RECEIVER, both(FAR)).await.unwrap(),
        Some(instant(FAR + 5000))
    );
    assert_eq!(take(&db, FAR + 5000).await[0].failures, 1);
    db.event_delivered(first[0].seq, RECEIVER, instant(FAR))
        .await
        .unwrap();
    db.event_delivered(first[0].seq, RECEIVER, instant(FAR))
        .await
        .unwrap();
    let second = take(&db, FAR).await;
    assert_eq!(second[0].kind, "order.reversed");
    db.event_delivered(second[0].seq, RECEIVER, instant(FAR + 1))
        .await
        .unwrap();
    assert_eq!(db.next_due_event(RECEIVER, both(FAR)).await.unwrap(), None);
}

#[tokio::test]
async fn each_receiver_has_a_queue_of_its_own_with_the_types_that_it_wants() {
    let place = Place::new().await;
    let db = place.open().await;
    let reversals = EventFilter::Named(vec![EventKind::OrderReversed]);
    db.set_receivers(&[
        (RECEIVER, EventFilter::default()),
        ("stock", reversals),
        ("erp", EventFilter::default()),
    ])
    .await;
    reverse(&db).await;
    let kinds = |events: &[DueEvent]| {
        let kinds = events.iter().map(|event| event.kind.clone());
        kinds.collect::<Vec<_>>()
    };
    // The first one that `stock` wants waits for none that it does not get.
    let stock = take_for(&db, "stock", FAR).await;
    assert_eq!(kinds(&stock), ["order.reversed"]);
    let erp = take_for(&db, "erp", FAR).await;
    assert_eq!(kinds(&erp), ["order.paid"]);
    db.event_delivered(erp[0].seq, "erp", instant(FAR))
        .await
        .unwrap();
    assert_eq!(kinds(&take_for(&db, "erp", FAR).await), ["order.reversed"]);
    // What one took, failed or has under a lease is nothing to another one.
    let first = take(&db, FAR).await;
    assert_eq!(kinds(&first), ["order.paid"]);
    assert_eq!((first[0].seq, first[0].failures), (erp[0].seq, 0));
    assert!(take_for(&db, "nobody", FAR).await.is_empty());
}

#[tokio::test]
async fn a_receiver_gets_the_events_from_its_first_start_on() {
    let place = Place::new().await;
    let db = place.open().await;
    db.set_receivers(&[]).await;
    pay(&db).await;
    db.set_receivers(&[(RECEIVER, EventFilter::default())])
        .await;
    assert!(take(&db, FAR).await.is_empty());
    reverse_paid(&db).await;
    let taken = take(&db, FAR).await;
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].kind, "order.reversed");
}
