use crate::clock::{Moment, instant};
use crate::db::due::tests::{filled_file, run};
use crate::db::testing::Place;
use crate::db::{Db, Turn};
use payment_model::{IdempotencyKey, PaymentMethodName};
use payment_rules::ledger::fixture::{echo, proof, refund, requester, reserve};
use payment_rules::ledger::{
    Ledger, NewReturn, Purpose, Release, Requester, ReturnRecord, ReversalRecord,
};
use payment_rules::operation::OperationKey;
use payment_rules::operation::fixture::{reading, record, with_state};
use payment_rules::order::fixture::order;
use payment_rules::outgoing::SendFailure;
use payment_rules::payment::RequestKind;
use payment_rules::service_answers::AmountUnits::Cents;
use staff_model::{AttemptState, ReturnState, ReversalState};
use std::path::Path;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn key() -> OperationKey {
    OperationKey::new("shop", "1")
}

/// A database with one settled operation of 387.00.
async fn settled(place: &Place) -> Db {
    let db = place.open().await;
    settle(&db).await;
    db
}

async fn settled_file(path: &Path) -> Db {
    let db = Db::open_file(path).await.unwrap();
    settle(&db).await;
    db
}

async fn settle(db: &Db) {
    db.add_order(&order("order")).await.unwrap();
    let mut sent = record();
    sent.method = PaymentMethodName::Installment;
    db.put(&sent).await.unwrap();
    let told = with_state("LIQUIDADO", instant(0));
    let change = move |record: &mut payment_rules::operation::OperationRecord| {
        let method = record.method.clone();
        *record = told.clone();
        record.method = method;
    };
    db.change(&key(), change).await.unwrap();
}

async fn change(db: &Db, change: impl Fn(&mut Ledger) + Send + Sync) -> Ledger {
    tried(db, change).await.unwrap()
}

async fn tried(
    db: &Db,
    change: impl Fn(&mut Ledger) + Send + Sync,
) -> Result<Ledger, crate::db::DbError> {
    let (ledger, ()) = db.change_ledger(&key(), change).await?;
    Ok(ledger)
}

#[tokio::test]
async fn everything_about_an_operation_survives_a_restart() {
    let place = Place::new().await;
    let db = settled(&place).await;
    assert_eq!(
        db.ledger(&OperationKey::new("shop", "2")).await.unwrap(),
        None
    );
    let written = change(&db, |ledger| {
        for id in ["found", "doubtful", "released", "refused"] {
            reserve(ledger, id, 100, instant(1));
            assert!(ledger.begin(id, instant(2)));
        }
        let message = payment_model::LocalizedMessage {
            locale: "es_PE".to_owned(),
            value: "No".to_owned(),
        };
        ledger.end(
            "refused",
            SendFailure::Refused {
                status: 400,
                messages: vec![message],
            }
            .because("no"),
            instant(3),
        );
        for id in ["doubtful", "released"] {
            ledger.end(id, SendFailure::NoAnswer.because("lost"), instant(3));
        }
        let release = Release {
            by: "bea".to_owned(),
            at: instant(4),
            reason: "asked".to_owned(),
        };
        ledger
            .release("released", release, proof(), reading(instant(5)))
            .unwrap();
        let refunds = [
            echo("r", "found", "REGISTERED", "100"),
            refund("s", "REJECTED", "ten"),
        ];
        ledger.merge_refunds(&refunds, Cents, instant(5));
        let new = NewReturn {
            id: "ret".to_owned(),
            amount: 7,
            reason: "by transfer".to_owned(),
            requester: requester("ana"),
            already_made: false,
            allowed: u64::MAX,
        };
        ledger.give_back(new, instant(6)).unwrap();
        ledger.watch.complete_at = Some(instant(5));
        ledger.plan(instant(7));
    })
    .await;
    assert_eq!(written.left(), 38_700 - 100 - 100 - 7);
    db.close().await;
    let db = place.open().await;
    let mut read = db.ledger(&key()).await.unwrap().unwrap();
    assert!(read.watch.due_at.is_some());
    read.watch.due_at = written.watch.due_at;
    assert_eq!(read, written);
    let with_id = async |kind, id| db.operation_of_request(kind, id).await.unwrap();
    let refund = RequestKind::Refund;
    assert_eq!(with_id(refund, "doubtful").await, Some(key()));
    assert_eq!(with_id(RequestKind::Reversal, "doubtful").await, None);
    assert_eq!(with_id(refund, "nobody's").await, None);
    let of_key = async |kind, staff| db.operations_of_key(kind, &requester(staff)).await.unwrap();
    assert_eq!(of_key(refund, "ana").await, [key()]);
    assert_eq!(of_key(RequestKind::Return, "bea").await, []);
    assert_eq!(of_key(RequestKind::Return, "ana").await, [key()]);
}

#[tokio::test]
async fn what_was_on_its_way_when_the_server_stopped_is_in_doubt_and_is_looked_up() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("merchant.db");
    let db = settled_file(&path).await;
    change(&db, |ledger| {
        for id in ["sent", "unsent"] {
            reserve(ledger, id, 100, instant(1));
        }
        ledger.begin("sent", instant(2));
    })
    .await;
    db.close().await;
    let db = Db::open_file(&path).await.unwrap();
    let ledger = db.ledger(&key()).await.unwrap().unwrap();
    let state = |id| ledger.attempt(id).unwrap().state;
    assert_eq!(state("sent"), AttemptState::InDoubt);
    assert_eq!(state("unsent"), AttemptState::Refused);
    let now = crate::clock::now().saturating_add(Duration::from_mins(1));
    let at = Moment {
        wall: now,
        steady: instant(5),
    };
    let due = db.take_due_refunds(at, SECOND, 9).await.unwrap();
    assert_eq!(due, [key()]);
    assert_eq!(db.take_due_refunds(at, SECOND, 9).await.unwrap(), []);
    let next = db.next_due_refunds(at).await.unwrap();
    assert_eq!(next, Some(now.saturating_add(SECOND)));
}

#[tokio::test]
async fn the_database_itself_refuses_to_reserve_more_than_was_paid() {
    let place = Place::new().await;
    let db = settled(&place).await;
    // The rules are left out here.
    let too_much =
        |id: &'static str, amount| tried(&db, move |l| reserve(l, id, amount, instant(0)));
    assert!(too_much("a", 38_701).await.is_err());
    too_much("b", 38_600).await.unwrap();
    assert!(too_much("c", 101).await.is_err());
    let ledger = change(&db, |ledger| {
        assert!(ledger.begin("b", instant(1)));
        ledger.merge_refunds(&[echo("r", "b", "RESOLVED", "38600")], Cents, instant(2));
    })
    .await;
    assert_eq!(ledger.left(), 100);
    assert!(too_much("d", 101).await.is_err());
    change(&db, |l| {
        l.merge_refunds(&[refund("s", "IN_PROCESS", "?")], Cents, instant(2));
    })
    .await;
    assert!(too_much("e", 1).await.is_err());
}

#[tokio::test]
async fn look_ups_take_turns() {
    let place = Place::new().await;
    let db = settled(&place).await;
    let turn = async |now| {
        db.take_refund_query_turn(&key(), now, SECOND)
            .await
            .unwrap()
    };
    assert_eq!(turn(instant(5000)).await, Turn::Taken);
    assert_eq!(
        turn(instant(5400)).await,
        Turn::Wait(Duration::from_millis(600))
    );
    assert_eq!(turn(instant(6000)).await, Turn::Taken);
    // A clock that was set back must not stop the looks.
    assert_eq!(turn(instant(100)).await, Turn::Taken);
}

#[tokio::test]
async fn the_database_itself_refuses_a_reversal_beside_anything_that_is_given_back() {
    let place = Place::new().await;
    let db = settled(&place).await;
    let pending = |id: &str| ReversalRecord {
        id: id.to_owned(),
        amount: 38_700,
        purpose: Purpose::Reverse,
        staff: None,
        key: None,
        cause: None,
        begun_at: instant(0),
        changed_at: instant(0),
        state: ReversalState::Sending,
        may_run_until: instant(9),
        may_arrive_until: None,
        service_status: None,
        detail: String::new(),
        release: None,
        release_asked_by: None,
    };
    let by_hand = |id: &str, already_made, state| ReturnRecord {
        id: id.to_owned(),
        amount: 1,
        reason: "slip".to_owned(),
        requester: Requester {
            staff: "ana".to_owned(),
            key: IdempotencyKey::new(id).unwrap(),
        },
        at: instant(0),
        state,
        already_made,
        give_up_asked: None,
        end: None,
    };
    // This test leaves the rules out.
    let (one, two) = (pending("one"), pending("two"));
    change(&db, |l| l.reversals.push(one.clone())).await;
    assert!(tried(&db, |l| l.reversals.push(two.clone())).await.is_err());
    assert!(
        tried(&db, |l| reserve(l, "a", 1, instant(0)))
            .await
            .is_err()
    );
    let open = by_hand("m", false, ReturnState::Open);
    assert!(tried(&db, |l| l.returns.push(open.clone())).await.is_err());
    // A fact is stored in any case.
    let made = by_hand("n", true, ReturnState::Done);
    change(&db, |l| l.returns.push(made.clone())).await;
    let lost = change(&db, |l| {
        l.reversals[0].state = ReversalState::InDoubt;
        l.reversals[0].may_arrive_until = Some(instant(9));
    });
    lost.await;
    let again = |l: &mut Ledger| l.reversals[0].state = ReversalState::Sending;
    assert!(tried(&db, again).await.is_err());
    change(&db, |l| l.reversals[0].state = ReversalState::NotDone).await;
    assert!(tried(&db, again).await.is_err());
    let three = pending("three");
    assert!(
        tried(&db, |l| l.reversals.push(three.clone()))
            .await
            .is_err()
    );
    // One key records one return.
    let twice = by_hand("n", true, ReturnState::Done);
    let again = |l: &mut Ledger| {
        l.returns.push(ReturnRecord {
            id: "another".to_owned(),
            ..twice.clone()
        });
    };
    assert!(tried(&db, again).await.is_err());
}

#[tokio::test]
async fn a_ledger_that_cannot_be_read_keeps_no_other_reservation() {
    let directory = tempfile::tempdir().unwrap();
    let db = filled_file(&directory.path().join("merchant.db"), 2).await;
    for number in ["1", "2"] {
        let key = OperationKey::new("shop", number);
        let told = with_state("LIQUIDADO", instant(0)).operation;
        let settle = move |record: &mut payment_rules::operation::OperationRecord| {
            record.operation.clone_from(&told);
        };
        db.change(&key, settle).await.unwrap();
        let reserve = |ledger: &mut Ledger| {
            reserve(ledger, number, 1, instant(0));
        };
        db.change_ledger(&key, reserve).await.unwrap();
    }
    let unreadable = "UPDATE operations SET document = '{' WHERE merchant_operation_number = '1'";
    run(&db, unreadable).await;
    let later = instant(9);
    db.abandon_attempts(later, later, later).await.unwrap();
    let ledger = db.ledger(&OperationKey::new("shop", "2")).await;
    let attempts = ledger.unwrap().unwrap().attempts;
    assert_eq!(attempts[0].state, AttemptState::Refused);
}

#[tokio::test]
async fn an_attempt_keeps_its_amount_while_its_request_runs_and_no_longer() {
    let directory = tempfile::tempdir().unwrap();
    let db = settled_file(&directory.path().join("merchant.db")).await;
    change(&db, |ledger| reserve(ledger, "a", 1, instant(0))).await;
    // The fixture's requester.
    let running = |until: i64| {
        format!(
            "INSERT INTO idempotency_keys (sender_kind, sender, key, fingerprint, created_at,
                 running_until) VALUES ('staff', 'ana', 'k', 'f', 0, {until})
             ON CONFLICT (sender_kind, sender, key)
                 DO UPDATE SET running_until = excluded.running_until"
        )
    };
    let state = async || {
        db.abandon_attempts(instant(9), instant(9), instant(9))
            .await
            .unwrap();
        db.ledger(&key()).await.unwrap().unwrap().attempts[0].state
    };
    run(&db, &running(i64::MAX)).await;
    assert_eq!(state().await, AttemptState::Sending);
    run(&db, &running(0)).await;
    assert_eq!(state().await, AttemptState::Refused);
}
