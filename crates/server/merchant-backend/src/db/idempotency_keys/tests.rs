use crate::clock::{Moment, instant};
use crate::db::engine::Engine;
use crate::db::lock::Lock;
use crate::db::testing::Place;
use crate::db::{BeginAttemptOutcome, Db};
use payment_model::IdempotencyKey;
use payment_rules::idempotency::{Claim, IdempotentRequest, KeyState, Sender};
use payment_rules::offer::MethodLimits;
use payment_rules::operation::fixture::record;
use payment_rules::order::fixture::order;
use payment_rules::payment::BeginAttemptError;
use serde_json::{Value, json};
use std::time::Duration;

fn request(sender: Sender, fingerprint: &str) -> IdempotentRequest {
    IdempotentRequest {
        sender,
        key: IdempotencyKey::new("key").unwrap(),
        fingerprint: fingerprint.to_owned(),
        order: None,
    }
}

fn ana() -> Sender {
    Sender::Staff("ana".to_owned())
}

async fn claim(
    db: &Db,
    sender: Sender,
    fingerprint: &str,
    now: i64,
) -> Result<Claim, KeyState<Value>> {
    let at = Moment {
        wall: instant(0),
        steady: instant(now),
    };
    let request = request(sender, fingerprint);
    db.claim(&request, at, Duration::from_millis(1000))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_key_runs_once_and_keeps_its_answer() {
    let place = Place::new().await;
    let db = place.open().await;
    assert!(claim(&db, ana(), "one", 0).await.is_ok());
    assert_eq!(claim(&db, ana(), "one", 999).await, Err(KeyState::Running));
    assert_eq!(claim(&db, ana(), "two", 0).await, Err(KeyState::Other));
    // The same text from another sender is another key, and a session is no account.
    let bea = Sender::Staff("bea".to_owned());
    assert!(claim(&db, bea, "two", 0).await.is_ok());
    let payer = Sender::Payer("ana".to_owned());
    assert!(claim(&db, payer, "two", 0).await.is_ok());
    db.close().await;

    let db = place.open().await;
    if place.is_server() {
        // Another process may run it.
        assert_eq!(claim(&db, ana(), "one", 1).await, Err(KeyState::Running));
        place.end_leases(&db).await;
    }
    let first = claim(&db, ana(), "one", 1).await.unwrap();
    let end = async |claim: &Claim, answer: Option<Value>| {
        db.end(claim, answer.as_ref()).await.unwrap();
    };
    end(&first, None).await;
    let second = claim(&db, ana(), "one", 2).await.unwrap();
    end(&second, Some(json!({"a": 1}))).await;
    end(&second, None).await;
    end(&second, Some(json!({"a": 2}))).await;
    let answered = KeyState::Answered(json!({"a": 1}));
    assert_eq!(claim(&db, ana(), "one", 3).await, Err(answered));
}

#[tokio::test]
async fn a_claim_that_was_lost_ends_nothing_and_begins_nothing() {
    let place = Place::new().await;
    let db = place.open().await;
    db.add_order(&order("order")).await.unwrap();
    let late = claim(&db, ana(), "one", 0).await.unwrap();
    place.end_leases(&db).await;
    let holder = claim(&db, ana(), "one", 1000).await.unwrap();
    for answer in [None, Some(json!({"late": true}))] {
        db.end(&late, answer.as_ref()).await.unwrap();
        assert_eq!(claim(&db, ana(), "one", 1001).await, Err(KeyState::Running));
    }
    let begin = async |claim: &Claim| {
        let (lease, mut held) = (Duration::from_secs(1), Some(claim.clone()));
        let limits = MethodLimits::default();
        let draft = record();
        let begun = db.begin_attempt(&draft, &limits, &claim.request, &mut held, lease);
        begun.await.unwrap().0
    };
    assert_eq!(begin(&late).await, BeginAttemptOutcome::KeyTaken);
    assert_eq!(begin(&holder).await, BeginAttemptOutcome::Begun);
    db.end(&holder, Some(&json!(1))).await.unwrap();
    let answered = KeyState::Answered(json!(1));
    assert_eq!(claim(&db, ana(), "one", 1002).await, Err(answered));
}

#[tokio::test]
async fn an_attempt_claims_its_key_and_begins_by_one_commit() {
    let place = Place::new().await;
    let db = place.open().await;
    db.add_order(&order("order")).await.unwrap();
    let (request, lease) = (request(ana(), "one"), Duration::from_secs(1));
    let begin = async |held: &mut Option<Claim>| {
        let draft = record();
        let limits = MethodLimits::default();
        let begun = db
            .begin_attempt(&draft, &limits, &request, held, lease)
            .await;
        begun.unwrap().0
    };
    let syncs = db.syncs();
    let mut held = None;
    assert_eq!(begin(&mut held).await, BeginAttemptOutcome::Begun);
    assert_eq!(db.syncs(), syncs + 1);
    // Another process does not get the key, and nothing waits for the disk.
    let mut other = None;
    assert_eq!(begin(&mut other).await, BeginAttemptOutcome::KeyTaken);
    assert_eq!((other, db.syncs()), (None, syncs + 1));
    // A refusal leaves the key to the attempt, which may have to withdraw a code first.
    db.end(&held.unwrap(), None::<&Value>).await.unwrap();
    let mut again = None;
    let refused = begin(&mut again).await;
    assert!(
        matches!(refused, BeginAttemptOutcome::Refused(_)),
        "{refused:?}"
    );
    assert!(again.is_some());
    assert_eq!(begin(&mut None).await, BeginAttemptOutcome::KeyTaken);
}

#[tokio::test]
async fn a_repeated_key_costs_the_writer_no_connection() {
    let place = Place::new().await;
    let db = place.open().await;
    let claimed = claim(&db, ana(), "one", 0).await.unwrap();
    // Only the same connection still has it.
    let mark = "CREATE TEMPORARY TABLE mark (one INTEGER)";
    let mut writing = db.write(Lock::None).await.unwrap();
    sqlx::query(mark).execute(&mut *writing).await.unwrap();
    writing.commit().await.unwrap();
    assert_eq!(claim(&db, ana(), "one", 1).await, Err(KeyState::Running));
    db.end(&claimed, Some(&json!(7))).await.unwrap();
    for _ in 0..3 {
        let repeated = claim(&db, ana(), "one", 2).await;
        assert_eq!(repeated, Err(KeyState::Answered(json!(7))));
    }
    // On a server there are several connections, and which one comes is not known.
    if db.engine() == Engine::Sqlite {
        let mut writing = db.write(Lock::None).await.unwrap();
        let found = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM mark");
        assert_eq!(found.fetch_one(&mut *writing).await.unwrap(), 0);
        writing.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_lease_that_is_renewed_keeps_the_key_and_only_its_claim_renews_it() {
    let directory = tempfile::tempdir().unwrap();
    let db = Db::open_file(&directory.path().join("merchant.db"))
        .await
        .unwrap();
    let at = |steady| Moment {
        wall: instant(0),
        steady: instant(steady),
    };
    let lease = Duration::from_millis(1000);
    let first = claim(&db, ana(), "one", 0).await.unwrap();
    let renewed = db.renew(&first, at(900), lease).await.unwrap().unwrap();
    assert_eq!(claim(&db, ana(), "one", 1899).await, Err(KeyState::Running));
    // The claim of before is another one by now.
    assert_eq!(db.renew(&first, at(900), lease).await.unwrap(), None);
    let other = claim(&db, ana(), "one", 1900).await.unwrap();
    assert_eq!(db.renew(&renewed, at(1901), lease).await.unwrap(), None);
    db.end(&other, Some(&json!(1))).await.unwrap();
    assert_eq!(db.renew(&other, at(1902), lease).await.unwrap(), None);
}

#[tokio::test]
async fn a_method_that_is_not_offered_uses_no_key_and_writes_nothing() {
    let place = Place::new().await;
    let db = place.open().await;
    db.add_order(&order("order")).await.unwrap();
    let (request, lease) = (request(ana(), "one"), Duration::from_secs(1));
    let limits = MethodLimits::parse(r#"{"QR": {"PEN": {"most": 1}}}"#).unwrap();
    let (draft, syncs, mut held) = (record(), db.syncs(), None);
    let begun = db.begin_attempt(&draft, &limits, &request, &mut held, lease);
    let outcome = begun.await.unwrap().0;
    assert!(
        matches!(
            outcome,
            BeginAttemptOutcome::Refused(BeginAttemptError::NotOffered(_))
        ),
        "{outcome:?}"
    );
    assert_eq!((held, db.syncs()), (None, syncs));
    assert_eq!(db.operation(&draft.key).await.unwrap(), None);
    // The same key begins another attempt.
    assert!(claim(&db, ana(), "one", 0).await.is_ok());
}
