use crate::clock::{Moment, instant, moment};
use crate::db::due::tests::filled;
use crate::db::testing::Place;
use crate::db::{Db, DbError, Turn};
use payment_rules::ledger::Ledger;
use payment_rules::ledger::fixture::reserve;
use payment_rules::operation::fixture::{pending, record, with_state};
use payment_rules::operation::{Difference, OperationKey, OperationRecord};
use std::sync::Arc;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const TWO_SECONDS: Duration = Duration::from_secs(2);

fn key() -> OperationKey {
    OperationKey::new("shop", "1")
}

async fn change(db: &Db, change: impl Fn(&mut OperationRecord) + Send + Sync) {
    db.change(&key(), change).await.unwrap();
}

#[tokio::test]
async fn a_query_that_changes_nothing_waits_for_no_disk() {
    let place = Place::new().await;
    let db = filled(&place, 1).await;
    let at = moment();
    change(&db, move |record| record.due_at = Some(at.wall)).await;
    let syncs = db.syncs();
    for n in 0..10_u32 {
        let at = Moment {
            wall: at.wall.saturating_add(n * TWO_SECONDS),
            steady: at.steady.saturating_add(n * TWO_SECONDS),
        };
        let due = db.take_due(at, SECOND, 10).await.unwrap();
        assert_eq!(due.len(), 1, "{n}");
        let turn = db.take_turn(&key(), at.wall, SECOND).await.unwrap();
        assert_eq!(turn, Turn::Taken);
        let turn = db.take_turn(&key(), at.wall, SECOND).await.unwrap();
        assert_eq!(turn, Turn::Wait(SECOND));
        change(&db, move |record| {
            record.failures += 1;
            record.due_at = Some(at.wall.saturating_add(TWO_SECONDS));
        })
        .await;
        let turn = db
            .take_refund_query_turn(&key(), at.wall, SECOND)
            .await
            .unwrap();
        assert_eq!(turn, Turn::Taken);
        let came = |ledger: &mut Ledger| ledger.complete_list_came(at.wall, at.wall);
        db.change_ledger(&key(), came).await.unwrap();
    }
    assert_eq!(db.syncs(), syncs);
    let ledger = db.ledger(&key()).await.unwrap().unwrap();
    let last = at.wall.saturating_add(9 * TWO_SECONDS);
    assert_eq!(ledger.watch.complete_at, Some(last));
    let stored = db.operation(&key()).await.unwrap().unwrap();
    let after = |n: u32| Some(at.wall.saturating_add(n * TWO_SECONDS));
    let expected = (10, after(10), after(9));
    assert_eq!(
        (stored.failures, stored.due_at, stored.queried_at),
        expected
    );
    // The write survives the process, if not a power failure.
    db.close().await;
    let db = place.open().await;
    let stored = db.operation(&key()).await.unwrap().unwrap();
    assert_eq!(stored.queried_at, expected.2);
}

#[tokio::test]
async fn a_hint_is_later_than_the_turns_before_it_whatever_the_clocks_say() {
    let place = Place::new().await;
    let db = filled(&place, 1).await;
    let syncs = db.syncs();
    let hinted = async |hint: i64| {
        db.note_hint(&key(), instant(hint)).await.unwrap();
        let stored = db.operation(&key()).await.unwrap().unwrap();
        (stored.awaits_query(), stored.hinted_at.unwrap())
    };
    let turn = async |at: i64| {
        let turn = db.take_turn(&key(), instant(at), SECOND).await.unwrap();
        assert_eq!(turn, Turn::Taken);
        let stored = db.operation(&key()).await.unwrap().unwrap();
        assert_eq!(stored.queried_at, Some(instant(at)));
        (stored.awaits_query(), stored.hinted_at.unwrap())
    };
    assert_eq!(hinted(10_000).await, (true, instant(10_000)));
    // A hint that waits for a turn is not written again.
    assert_eq!(hinted(10_500).await, (true, instant(10_000)));
    assert_eq!(turn(20_000).await, (false, instant(10_000)));
    // By a clock that is behind the one of the turn.
    assert_eq!(hinted(19_000).await, (true, instant(20_001)));
    assert_eq!(hinted(19_001).await, (true, instant(20_001)));
    assert_eq!(turn(30_000).await, (false, instant(20_001)));
    // By a clock that is ahead of the next turn's.
    assert_eq!(hinted(45_000).await, (true, instant(45_000)));
    assert_eq!(turn(40_000).await, (false, instant(40_000)));
    assert_eq!(hinted(45_000).await, (true, instant(45_000)));
    // A change writes it, and only its plan does not wait for the disk.
    change(&db, |record| record.answer_hint(Some(instant(45_000)))).await;
    let stored = db.operation(&key()).await.unwrap().unwrap();
    assert_eq!(stored.hinted_at, None);
    assert_eq!(db.syncs(), syncs);
    hinted(50_000).await;
    change(&db, |record| record.failure_note = Some("new".to_owned())).await;
    let stored = db.operation(&key()).await.unwrap().unwrap();
    assert_eq!(stored.hinted_at, Some(instant(50_000)));
    change(&db, |record| {
        record.hinted_at = None;
        record.failure_note = None;
    })
    .await;
    let stored = db.operation(&key()).await.unwrap().unwrap();
    assert_eq!(stored.hinted_at, None);
}

#[tokio::test]
async fn whatever_else_changes_waits_for_the_disk() {
    let place = Place::new().await;
    let db = filled(&place, 1).await;
    let mut syncs = db.syncs();
    let mut waited = |db: &Db, what: &str| {
        syncs += 1;
        assert_eq!(db.syncs(), syncs, "{what}");
    };
    change(&db, |record| record.failure_note = Some("new".to_owned())).await;
    waited(&db, "a note");
    for state in ["PENDIENTE", "AUTORIZADO", "LIQUIDADO"] {
        let told = with_state(state, instant(0));
        change(&db, move |record| {
            record.operation.clone_from(&told.operation);
        })
        .await;
        waited(&db, state);
    }
    let reserved = |ledger: &mut Ledger| {
        reserve(ledger, "attempt", 100, instant(0));
    };
    let (ledger, ()) = db.change_ledger(&key(), reserved).await.unwrap();
    assert_eq!(ledger.attempts.len(), 1);
    waited(&db, "a reserved refund");
    let begin = |ledger: &mut Ledger| ledger.begin("attempt", instant(1));
    let (_, begun) = db.change_ledger(&key(), begin).await.unwrap();
    assert!(begun);
    waited(&db, "the beginning of a refund");
}

#[test]
fn only_the_plan_is_no_other_change() {
    let before = pending();
    let changed = |change: fn(&mut OperationRecord)| {
        let mut after = before.clone();
        change(&mut after);
        before.differs_only_in_plan(&after)
    };
    assert!(changed(|_| {}));
    assert!(changed(|record| record.due_at = None));
    assert!(changed(|record| record.due_at = Some(instant(1))));
    assert!(changed(|record| record.failures = 1));
    assert!(changed(|record| record.hinted_at = Some(instant(1))));
    assert!(!changed(|record| record.live = false));
    assert!(!changed(|record| record.changed_at = instant(1)));
    assert!(!changed(|record| record.paid_late_at = Some(instant(1))));
    assert!(!changed(
        |record| record.answer_mismatch = Some(Difference::new("", instant(0)))
    ));
    assert!(!changed(|record| record.failure_note = Some(String::new())));
    assert!(!changed(|record| record.answer = None));
    assert!(!changed(|record| record.operation = None));
    assert!(!record().differs_only_in_plan(&before));
}

#[tokio::test(flavor = "multi_thread")]
async fn both_connections_write_at_once_and_nobody_is_turned_away() {
    let place = Place::new().await;
    let db = Arc::new(filled(&place, 1).await);
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..100_u32 {
        let db = Arc::clone(&db);
        tasks.spawn(async move {
            if n % 2 == 0 {
                db.take_turn(&key(), instant(i64::from(n)), Duration::from_millis(1))
                    .await
                    .map(drop)
            } else {
                let change = move |record: &mut OperationRecord| {
                    let notes = record.failure_note.take().unwrap_or_default();
                    record.failure_note = Some(format!("{notes}."));
                };
                db.change(&key(), change).await.map(drop)
            }
        });
    }
    let ended: Vec<Result<(), DbError>> = tasks.join_all().await;
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
    let stored = db.operation(&key()).await.unwrap().unwrap();
    assert_eq!(stored.failure_note.unwrap().len(), 50);
}
