use crate::clock::{Moment, instant};
use crate::db::Db;
use crate::db::testing::Place;
use crate::domain::idempotent_request::{IdempotentRequest, Sender, Standing};
use payment_model::IdempotencyKey;
use serde_json::{Value, json};
use std::time::Duration;

fn request(sender: Sender, fingerprint: &str) -> IdempotentRequest {
    IdempotentRequest {
        sender,
        key: IdempotencyKey::new("key").unwrap(),
        fingerprint: fingerprint.to_owned(),
        order_id: None,
    }
}

fn ana() -> Sender {
    Sender::Staff("ana".to_owned())
}

async fn claim(db: &Db, sender: Sender, fingerprint: &str, now: i64) -> Standing<Value> {
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
    assert_eq!(claim(&db, ana(), "one", 0).await, Standing::Claimed);
    assert_eq!(claim(&db, ana(), "one", 999).await, Standing::Running);
    assert_eq!(claim(&db, ana(), "two", 0).await, Standing::Other);
    // The same text from another sender is another key, and a session is no account.
    let bea = Sender::Staff("bea".to_owned());
    assert_eq!(claim(&db, bea, "two", 0).await, Standing::Claimed);
    let payer = Sender::Payer("ana".to_owned());
    assert_eq!(claim(&db, payer, "two", 0).await, Standing::Claimed);
    db.close().await;

    let db = place.open().await;
    if place.is_server() {
        // Another process may run it.
        assert_eq!(claim(&db, ana(), "one", 1).await, Standing::Running);
        place.end_leases(&db).await;
    }
    assert_eq!(claim(&db, ana(), "one", 1).await, Standing::Claimed);
    let end = async |answer: Option<Value>| {
        let request = request(ana(), "one");
        db.end(&request, answer.as_ref()).await.unwrap();
    };
    end(None).await;
    assert_eq!(claim(&db, ana(), "one", 2).await, Standing::Claimed);
    end(Some(json!({"a": 1}))).await;
    end(None).await;
    end(Some(json!({"a": 2}))).await;
    let answered = Standing::Answered(json!({"a": 1}));
    assert_eq!(claim(&db, ana(), "one", 3).await, answered);
}
