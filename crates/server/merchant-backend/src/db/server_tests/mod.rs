//! Tests of PostgreSQL: two nodes, each a [`Db`] of its own, use one database. A third connection
//! holds a lock until both nodes are between a read and a write.

mod changes;
mod claims;
mod notify;
mod plans;
mod schemas;
mod standbys;
mod starts;

use super::BeginAttemptOutcome;
use super::connections::Db;
use super::engine::Connection;
use super::testing::{Place, of_shop};
use crate::clock::instant;
use payment_model::IdempotencyKey;
use payment_rules::idempotency::{IdempotentRequest, Sender};
use payment_rules::operation::fixture::{record, with_state};
use payment_rules::operation::{OperationKey, OperationRecord, Phase};
use payment_rules::order::fixture::order;
use sqlx::AssertSqlSafe;
use std::time::{Duration, Instant};

const LEASE: Duration = Duration::from_mins(1);

/// Two nodes on a new database; `None` if PostgreSQL is not installed.
async fn nodes() -> Option<(Place, Db, Db)> {
    let place = Place::server().await?;
    let (a, b) = (place.open().await, place.open().await);
    Some((place, a, b))
}

/// An operation of the order `order`.
fn operation(number: &str, state: &str) -> OperationRecord {
    OperationRecord {
        key: OperationKey::new("shop", number),
        callback_hash: number.to_owned(),
        ..with_state(state, instant(0))
    }
}

fn key(number: &str) -> OperationKey {
    OperationKey::new("shop", number)
}

/// A lock that a third party holds until it is dropped.
struct Held(Connection);

impl Held {
    async fn by(place: &Place, sql: &str) -> Self {
        let mut connection = place.beside().await;
        let sql = format!("BEGIN; {sql}");
        let held = sqlx::raw_sql(AssertSqlSafe(sql));
        held.execute(&mut connection).await.unwrap();
        Self(connection)
    }

    /// Releases the lock once this number of connections waits for one.
    async fn release_when_waiting(mut self, place: &Place, others: i64) {
        when_waiting(place, others).await;
        sqlx::raw_sql("ROLLBACK")
            .execute(&mut self.0)
            .await
            .unwrap();
    }
}

/// Returns once this number of connections waits for a lock.
pub(super) async fn when_waiting(place: &Place, others: i64) {
    let mut watcher = place.beside().await;
    let begun = Instant::now();
    loop {
        let waiting = sqlx::query_scalar::<_, i64>(
            "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        if waiting.fetch_one(&mut watcher).await.unwrap() == others {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(8), "nobody waits");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

const ORDER: &str = "SELECT 1 FROM orders FOR NO KEY UPDATE";

pub(super) async fn run(place: &Place, sql: &str) {
    let mut connection = place.beside().await;
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
    done.execute(&mut connection).await.unwrap();
}

pub(super) async fn count(place: &Place, sql: &'static str) -> i64 {
    let mut connection = place.beside().await;
    let count = sqlx::query_scalar(sql).fetch_one(&mut connection).await;
    count.unwrap()
}

/// Puts an operation on disk that waits for its payment, and leaves the order free.
async fn pending(db: &Db, number: &str) {
    let sent = OperationRecord {
        key: key(number),
        callback_hash: number.to_owned(),
        ..record()
    };
    assert_eq!(db.put(&sent).await.unwrap(), BeginAttemptOutcome::Begun);
    let left = |record: &mut OperationRecord| {
        record.phase = Phase::Known;
        record.live = false;
    };
    db.change(&key(number), left).await.unwrap();
}

async fn becomes(db: Db, number: &'static str, state: &'static str) {
    let told = operation(number, state);
    let change = move |record: &mut OperationRecord| *record = told.clone();
    db.change(&key(number), change).await.unwrap();
}

fn request() -> IdempotentRequest {
    IdempotentRequest {
        sender: Sender::Payer("hash".to_owned()),
        key: IdempotencyKey::new("key").unwrap(),
        fingerprint: "f".to_owned(),
        order: Some(of_shop("order")),
    }
}
