use super::ResumeOutcome;
use crate::clock::{instant, now};
use crate::db::AdminDb;
use crate::db::deliveries::tests::{FAR, reversed, take, take_for};
use crate::db::testing::{Place, RECEIVER};
use payment_rules::event::EventFilter;
use std::time::Duration;

#[tokio::test]
async fn a_stop_keeps_the_queue_and_a_resumption_goes_on_with_it_in_order() {
    let place = Place::new().await;
    let db = reversed(&place).await;
    let first = take(&db, FAR).await.remove(0);
    // It failed before, and would come in an hour.
    db.event_failed(first.seq, RECEIVER, instant(FAR))
        .await
        .unwrap();
    assert!(!db.receiver_is_stopped(RECEIVER).await.unwrap());
    let stop = async || {
        db.stop_receiver(first.seq, RECEIVER, instant(FAR), now())
            .await
    };
    assert!(stop().await.unwrap());
    // Deliveries that were under way at once stop it once.
    assert!(!stop().await.unwrap());
    assert!(db.receiver_is_stopped(RECEIVER).await.unwrap());
    // Neither a start of a server nor the removal of what is old ends it.
    let filter = EventFilter::default();
    let note = [(RECEIVER, &filter)].into_iter();
    db.note_receivers(note, now()).await.unwrap();
    db.prune_events(instant(FAR)).await.unwrap();
    assert!(db.receiver_is_stopped(RECEIVER).await.unwrap());

    let admin = AdminDb::open(place.address()).await.unwrap();
    let resume = async |name: &str| admin.resume_receiver(name, now()).await.unwrap();
    let unknown = ResumeOutcome::Unknown(vec![RECEIVER.to_owned()]);
    assert_eq!(resume("sop").await, unknown);
    assert_eq!(resume(RECEIVER).await, ResumeOutcome::Resumed);
    assert_eq!(resume(RECEIVER).await, ResumeOutcome::NotStopped);
    assert!(!db.receiver_is_stopped(RECEIVER).await.unwrap());
    let soon = now().saturating_add(Duration::from_secs(1)).as_millis();
    let again = take_for(&db, RECEIVER, soon).await.remove(0);
    assert_eq!((again.seq, again.failures), (first.seq, 0));
    db.event_delivered(again.seq, RECEIVER, now())
        .await
        .unwrap();
    assert_eq!(
        take_for(&db, RECEIVER, soon).await[0].kind,
        "order.reversed"
    );
}
