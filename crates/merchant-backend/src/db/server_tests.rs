//! What is true of PostgreSQL alone: two nodes, each a [`Db`] of its own, on one database. A third
//! party holds a lock until both stand between a read and a write.

use super::connections::Db;
use super::testing::Place;
use super::{DatabaseError, Notes, Reservation, Told};
use crate::clock::{Moment, instant, moment, now};
use crate::domain::idempotent_request::{IdempotentRequest, Sender, Standing};
use crate::domain::ledger::Ledger;
use crate::domain::ledger::fixture::reserve;
use crate::domain::operation::fixture::{record, with_state};
use crate::domain::operation::{OperationKey, OperationRecord, Phase};
use crate::domain::order::{Order, OrderState};
use payment_model::{IdempotencyKey, Timestamp};
use serde_json::Value;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const LEASE: Duration = Duration::from_mins(1);

/// Two nodes on a new database.
async fn nodes() -> (Place, Db, Db) {
    let place = Place::server().await;
    let (a, b) = (place.open().await, place.open().await);
    (place, a, b)
}

fn order(id: &str) -> Order {
    Order {
        order_id: id.to_owned(),
        session_hash: "hash".to_owned(),
        created_at: instant(0),
        amount: 38_700,
        currency: "PEN".to_owned(),
        merchant_code: "shop".to_owned(),
        items: Vec::new(),
        customer: payment_model::Person::default(),
        state: OrderState::Open,
        paid_twice: false,
        told_at: None,
        order_key_hash: None,
    }
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

/// What a third party holds until it is dropped.
struct Held(AnyConnection);

impl Held {
    async fn by(place: &Place, sql: &str) -> Self {
        let mut connection = place.beside().await;
        let sql = format!("BEGIN; {sql}");
        let held = sqlx::raw_sql(AssertSqlSafe(sql));
        held.execute(&mut connection).await.unwrap();
        Self(connection)
    }

    /// Waits until so many others wait for a lock, and lets them go on.
    async fn release_when_waiting(mut self, place: &Place, others: i64) {
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
        sqlx::raw_sql("ROLLBACK")
            .execute(&mut self.0)
            .await
            .unwrap();
    }
}

const ORDER: &str = "SELECT 1 FROM orders FOR NO KEY UPDATE";

async fn run(place: &Place, sql: &str) {
    let mut connection = place.beside().await;
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
    done.execute(&mut connection).await.unwrap();
}

async fn count(place: &Place, sql: &'static str) -> i64 {
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
    assert_eq!(db.reserve(&sent).await.unwrap(), Reservation::Reserved);
    let left = |record: &mut OperationRecord| {
        record.phase = Phase::Known;
        record.live = false;
    };
    db.change(&key(number), left, None).await.unwrap();
}

async fn becomes(db: Db, number: &'static str, state: &'static str) {
    let told = operation(number, state);
    let change = move |record: &mut OperationRecord| *record = told.clone();
    db.change(&key(number), change, None).await.unwrap();
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn two_payments_of_one_order_at_once_are_told_as_paid_twice() {
    let (place, a, b) = nodes().await;
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    pending(&a, "2").await;
    let held = Held::by(&place, ORDER).await;
    let one = tokio::spawn(becomes(a.clone(), "1", "LIQUIDADO"));
    let two = tokio::spawn(becomes(b, "2", "LIQUIDADO"));
    held.release_when_waiting(&place, 2).await;
    one.await.unwrap();
    two.await.unwrap();
    let order = a.order("order").await.unwrap().unwrap();
    assert!(order.paid_twice && order.state == OrderState::Paid);
    let twice = "SELECT count(*) FROM events WHERE type = 'order.paid_twice'";
    assert_eq!(count(&place, twice).await, 1);
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn two_refunds_that_are_too_much_together_never_pass_together() {
    let (place, a, b) = nodes().await;
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    becomes(a.clone(), "1", "LIQUIDADO").await;
    let ask = async |db: Db, id: &'static str| {
        let ask = move |ledger: &mut Ledger| {
            let enough = ledger.left() >= 20_000;
            if enough {
                reserve(ledger, id, 20_000, instant(0));
            }
            (enough, Notes::default())
        };
        db.change_ledger(&key("1"), ask)
            .await
            .map(|(_, passed)| passed)
    };
    // The rows of the ledger come after the operation's, so both have read what is left by then.
    let held = Held::by(&place, "SELECT 1 FROM operations FOR UPDATE").await;
    let (one, two, ()) = tokio::join!(
        ask(a.clone(), "one"),
        ask(b, "two"),
        held.release_when_waiting(&place, 2)
    );
    let passed = [one.unwrap(), two.unwrap()];
    assert_eq!(passed.iter().filter(|passed| **passed).count(), 1);
    let ledger = a.ledger(&key("1")).await.unwrap().unwrap();
    assert_eq!(ledger.left(), 18_700);
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn the_database_itself_lets_two_refunds_take_turns() {
    let (place, a, _b) = nodes().await;
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    becomes(a.clone(), "1", "LIQUIDADO").await;
    let insert = |id: &str| {
        format!(
            "INSERT INTO refund_attempts (attempt_id, merchant_code, merchant_operation_number,
                 transaction_id, type, amount, currency, staff, idempotency_key, item,
                 requested_at, changed_at, state, detail, messages)
             VALUES ('{id}', 'shop', '1', 't', 'PARTIAL', 20000, 'PEN', 'ana', '{id}', 0, 0, 0,
                 'sending', '', '[]')"
        )
    };
    // No code of the server does this: neither of them locks the order.
    let mut first = place.beside().await;
    let begun = format!("BEGIN; {}", insert("one"));
    sqlx::raw_sql(AssertSqlSafe(begun))
        .execute(&mut first)
        .await
        .unwrap();
    let mut second = place.beside().await;
    let too_much = insert("two");
    let second = tokio::spawn(async move {
        sqlx::raw_sql(AssertSqlSafe(too_much))
            .execute(&mut second)
            .await
    });
    let held = Held::by(&place, "SELECT 1").await;
    held.release_when_waiting(&place, 1).await;
    sqlx::raw_sql("COMMIT").execute(&mut first).await.unwrap();
    let refused = second.await.unwrap().unwrap_err().to_string();
    assert!(
        refused.contains("more would be refunded than was paid"),
        "{refused}"
    );
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn nobody_overwrites_paid_with_what_was_read_before() {
    let (place, a, b) = nodes().await;
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    let held = Held::by(&place, "SELECT 1 FROM operations FOR UPDATE").await;
    let one = tokio::spawn(becomes(a.clone(), "1", "LIQUIDADO"));
    let note = |record: &mut OperationRecord| record.trouble = Some("a note".to_owned());
    let two = tokio::spawn(async move { b.change(&key("1"), note, None).await.unwrap() });
    held.release_when_waiting(&place, 2).await;
    one.await.unwrap();
    two.await.unwrap();
    assert!(a.operation(&key("1")).await.unwrap().unwrap().is_paid());
    let order = a.order("order").await.unwrap().unwrap();
    assert_eq!(order.state, OrderState::Paid);
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn of_two_operations_of_one_order_one_is_live() {
    let (place, a, b) = nodes().await;
    a.add_order(&order("order")).await.unwrap();
    let of = |number: &str| OperationRecord {
        key: key(number),
        callback_hash: number.to_owned(),
        ..record()
    };
    let (first, second) = (of("1"), of("2"));
    let held = Held::by(&place, ORDER).await;
    let (one, two, ()) = tokio::join!(
        a.reserve(&first),
        b.reserve(&second),
        held.release_when_waiting(&place, 2)
    );
    let both = [one.unwrap(), two.unwrap()];
    let live = |one: &&Reservation| matches!(one, Reservation::Live(_));
    assert!(both.contains(&Reservation::Reserved), "{both:?}");
    assert_eq!(both.iter().filter(live).count(), 1, "{both:?}");
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn a_number_is_used_once_whichever_orders_want_it() {
    let (place, a, b) = nodes().await;
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
        "INSERT INTO operations (merchant_code, merchant_operation_number, order_id, phase, live,
             method_name, amount, currency, callback_hash, created_at, changed_at, failures)
         VALUES ('shop', '1', 'third', 'known', 0, 'QR', 1, 'PEN', 'third', 0, 0, 0)",
    )
    .await;
    let (first, second) = (of("order"), of("other"));
    let (one, two, ()) = tokio::join!(
        a.reserve(&first),
        b.reserve(&second),
        held.release_when_waiting(&place, 2)
    );
    let both = [one.unwrap(), two.unwrap()];
    assert!(both.contains(&Reservation::Reserved), "{both:?}");
    assert!(both.contains(&Reservation::NumberTaken), "{both:?}");
}

fn request() -> IdempotentRequest {
    IdempotentRequest {
        sender: Sender::Payer("hash".to_owned()),
        key: IdempotencyKey::new("key").unwrap(),
        fingerprint: "f".to_owned(),
        order_id: Some("order".to_owned()),
    }
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn one_key_at_two_nodes_at_once_runs_at_one() {
    let (place, a, b) = nodes().await;
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
    assert!(both.contains(&Standing::Claimed), "{both:?}");
    assert!(both.contains(&Standing::Running), "{both:?}");
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn a_key_that_is_answered_at_this_moment_does_not_run_again() {
    let (place, a, b) = nodes().await;
    a.add_order(&order("order")).await.unwrap();
    let request = request();
    let claimed = a.claim::<Value>(&request, moment(), Duration::ZERO).await;
    assert_eq!(claimed.unwrap(), Standing::Claimed);
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
    let answered = Standing::Answered(serde_json::json!(1));
    assert_eq!(again.await.unwrap().unwrap(), answered);
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn a_delivery_and_a_new_event_of_its_order_leave_one_event_due() {
    let (place, a, b) = nodes().await;
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    becomes(a.clone(), "1", "LIQUIDADO").await;
    let taken = a.take_due_events(moment(), LEASE, 9).await.unwrap();
    assert_eq!(taken.len(), 1);
    let held = Held::by(&place, ORDER).await;
    let seq = taken[0].seq;
    let delivered = tokio::spawn(async move { a.event_delivered(seq, now()).await.unwrap() });
    let reversed = tokio::spawn(becomes(b.clone(), "1", "EXTORNADO"));
    held.release_when_waiting(&place, 2).await;
    delivered.await.unwrap();
    reversed.await.unwrap();
    let next = b.take_due_events(moment(), LEASE, 9).await.unwrap();
    assert_eq!(next.len(), 1);
    assert_eq!(next[0].kind, "order.reversed");
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn two_nodes_that_hear_of_a_new_order_keep_one_account() {
    let (place, a, b) = nodes().await;
    let told = |amount, at| Order {
        amount,
        told_at: Some(instant(at)),
        ..order("order")
    };
    let held = Held::by(
        &place,
        "INSERT INTO orders (order_id, session_hash, created_at, amount, currency, items,
             customer, state) VALUES ('order', '', 0, 1, 'PEN', '[]', '{}', 'open')",
    )
    .await;
    let (older, newer) = (told(5, 1), told(6, 2));
    let (one, two, ()) = tokio::join!(
        a.tell_order(&newer),
        b.tell_order(&older),
        held.release_when_waiting(&place, 2)
    );
    assert!(matches!(one.unwrap(), Told::Kept(_)));
    assert!(matches!(two.unwrap(), Told::Kept(_)));
    assert_eq!(a.order("order").await.unwrap().unwrap().amount, 6);
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn an_order_that_a_payer_begins_to_pay_is_not_removed() {
    let (place, a, b) = nodes().await;
    a.add_order(&order("order")).await.unwrap();
    let held = Held::by(&place, ORDER).await;
    let first = record();
    let removal = tokio::spawn(async move { b.remove_abandoned(instant(1), 9).await.unwrap() });
    let reserved = a.reserve(&first);
    let (reserved, ()) = tokio::join!(reserved, held.release_when_waiting(&place, 2));
    let removed = removal.await.unwrap();
    // Whichever came first, the other one saw it.
    match reserved.unwrap() {
        Reservation::Reserved => assert_eq!(removed, 0),
        Reservation::OrderChanged => assert_eq!(removed, 1),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn due_rows_go_to_one_node_and_a_lease_ends_by_the_clock_of_the_database() {
    let (place, a, b) = nodes().await;
    let a_due = super::due::tests::filled(&place, 6).await;
    drop(a_due);
    run(
        &place,
        "UPDATE operations SET due_at = 10, planned_at = 5;
         UPDATE refund_watches SET due_at = 10, planned_at = 5;
         UPDATE events SET due_at = 10, planned_at = 5",
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
        b.take_due_events(moment(), LEASE, 9).await.unwrap().len(),
        6
    );
    place.end_leases(&a).await;
    assert_eq!(a.take_due(moment(), LEASE, 9).await.unwrap().len(), 6);
    assert_eq!(
        a.take_due_refunds(moment(), LEASE, 9).await.unwrap().len(),
        6
    );
    assert_eq!(
        a.take_due_events(moment(), LEASE, 9).await.unwrap().len(),
        6
    );
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn a_plan_of_a_clock_that_was_set_back_is_due_and_one_that_is_nearly_now_is_not() {
    let (place, a, _b) = nodes().await;
    drop(super::due::tests::filled(&place, 1).await);
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
#[ignore = "cargo xtask test --only postgres"]
async fn a_node_that_starts_leaves_alone_what_another_one_runs() {
    let (place, a, _b) = nodes().await;
    a.add_order(&order("order")).await.unwrap();
    let sent = OperationRecord {
        created_at: now(),
        ..record()
    };
    a.reserve(&sent).await.unwrap();
    let request = request();
    let claimed = a.claim::<Value>(&request, moment(), LEASE).await.unwrap();
    assert_eq!(claimed, Standing::Claimed);
    run(&place, "UPDATE operations SET due_at = 10, planned_at = 5").await;
    assert_eq!(a.take_due(moment(), LEASE, 9).await.unwrap().len(), 1);

    let third = place.open().await;
    let found = third.operation(&sent.key).await.unwrap().unwrap();
    assert_eq!((found.phase, found.live), (Phase::Sending, true));
    let standing = third.standing::<Value>(&request, moment()).await.unwrap();
    assert_eq!(standing, Standing::Running);
    assert!(third.take_due(moment(), LEASE, 9).await.unwrap().is_empty());
    let before = now().saturating_sub(LEASE);
    assert_eq!(third.doubt_abandoned(before, now()).await.unwrap(), 0);
    // Its sender is gone when its time is over.
    let later = now().saturating_add(LEASE);
    assert_eq!(third.doubt_abandoned(later, later).await.unwrap(), 1);
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn nodes_that_start_together_make_the_schema_once() {
    let place = Place::server().await;
    let (one, two, three) = tokio::join!(place.open(), place.open(), place.open());
    for node in [one, two, three] {
        node.ready().await.unwrap();
    }
    assert_eq!(
        count(&place, "SELECT count(*) FROM _sqlx_migrations").await,
        1
    );
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn it_does_not_start_where_a_commit_may_be_lost() {
    let place = Place::server().await;
    let name: String = {
        let mut connection = place.beside().await;
        let name = sqlx::query_scalar("SELECT CAST(current_database() AS text)");
        name.fetch_one(&mut connection).await.unwrap()
    };
    let sql = format!("ALTER DATABASE {name} SET synchronous_commit = off");
    run(&place, &sql).await;
    let error = place.try_open().await.err().unwrap();
    assert!(
        matches!(&error, DatabaseError::Loses { setting, .. } if *setting == "synchronous_commit")
    );
    assert!(error.to_string().starts_with("DATABASE: postgres://"));
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn it_does_not_start_on_a_standby_or_without_fsync() {
    let standby = Place::named("TEST_POSTGRES_STANDBY").try_open().await;
    assert!(matches!(standby.err(), Some(DatabaseError::Standby(_))));
    let careless = Place::named("TEST_POSTGRES_CARELESS").try_open().await;
    assert!(matches!(
        careless.err(),
        Some(DatabaseError::Loses {
            setting: "fsync",
            ..
        })
    ));
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn a_commit_that_does_not_wait_changes_no_later_one() {
    let (_place, a, _b) = nodes().await;
    for _ in 0..12 {
        a.take_due(moment(), LEASE, 1).await.unwrap();
        let mut writing = a.write(super::scope::Scope::Rows).await.unwrap();
        let setting: String = sqlx::query_scalar("SELECT current_setting('synchronous_commit')")
            .fetch_one(&mut *writing)
            .await
            .unwrap();
        assert_eq!(setting, "on");
    }
}

/// Columns by table, with whether they may be empty and whether they hold text.
type Columns = BTreeMap<String, BTreeSet<(String, bool, bool)>>;
/// Indexes by name: their table, columns, whether they are unique, and whether they are partial.
type Indexes = BTreeMap<String, (String, Vec<String>, bool, bool)>;

async fn texts(connection: &mut AnyConnection, sql: String) -> Vec<String> {
    let rows = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(connection);
    rows.await.unwrap()
}

async fn schema_of_file(connection: &mut AnyConnection) -> (Columns, Indexes, Vec<String>) {
    let (mut columns, mut indexes) = (Columns::new(), Indexes::new());
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table'
        AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_sqlx%' ESCAPE '\\'";
    for table in texts(&mut *connection, tables.to_owned()).await {
        let sql = format!(
            "SELECT name, \"notnull\" AS filled, pk, type FROM pragma_table_info('{table}')"
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut *connection);
        for row in rows.await.unwrap() {
            let filled = row.get::<i64, _>("filled") + row.get::<i64, _>("pk") > 0;
            let is_text = row.get::<String, _>("type") == "TEXT";
            let column = (row.get("name"), filled, is_text);
            columns.entry(table.clone()).or_default().insert(column);
        }
        let sql = format!(
            "SELECT name, \"unique\" AS single, partial FROM pragma_index_list('{table}')
             WHERE origin = 'c'"
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut *connection);
        for row in rows.await.unwrap() {
            let name: String = row.get("name");
            let sql = format!("SELECT name FROM pragma_index_info('{name}') ORDER BY seqno");
            let of = texts(&mut *connection, sql).await;
            let (single, partial) = (row.get::<i64, _>("single"), row.get::<i64, _>("partial"));
            indexes.insert(name, (table.clone(), of, single != 0, partial != 0));
        }
    }
    let others = "SELECT type || ' ' || name FROM sqlite_master WHERE type IN ('view', 'trigger')
        ORDER BY 1";
    let others = texts(connection, others.to_owned()).await;
    (columns, indexes, others)
}

async fn schema_of_server(connection: &mut AnyConnection) -> (Columns, Indexes, Vec<String>) {
    let (mut columns, mut indexes) = (Columns::new(), Indexes::new());
    let rows = sqlx::query(
        "SELECT CAST(c.table_name AS text) AS table_name, CAST(c.column_name AS text) AS name,
             CASE WHEN c.is_nullable = 'NO' THEN 1 ELSE 0 END AS filled,
             CAST(c.data_type AS text) AS type
         FROM information_schema.columns c JOIN information_schema.tables t
             ON t.table_schema = c.table_schema AND t.table_name = c.table_name
         WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
             AND c.table_name <> '_sqlx_migrations' AND c.column_name <> 'rowid'",
    );
    for row in rows.fetch_all(&mut *connection).await.unwrap() {
        let kind: String = row.get("type");
        assert!(["text", "bigint"].contains(&&*kind), "{kind}");
        let column = (
            row.get("name"),
            row.get::<i64, _>("filled") != 0,
            kind == "text",
        );
        let table = row.get("table_name");
        columns.entry(table).or_default().insert(column);
    }
    let rows = sqlx::query(
        "SELECT CAST(i.relname AS text) AS name, CAST(t.relname AS text) AS table_name,
             (SELECT string_agg(a.attname, ' ' ORDER BY k.place)
                 FROM unnest(x.indkey) WITH ORDINALITY AS k(attribute, place)
                 JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attribute
                 WHERE a.attname <> 'rowid') AS columns,
             CASE WHEN x.indisunique THEN 1 ELSE 0 END AS single,
             CASE WHEN x.indpred IS NOT NULL THEN 1 ELSE 0 END AS partial
         FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
             JOIN pg_class t ON t.oid = x.indrelid
             JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
         WHERE NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.oid)",
    );
    for row in rows.fetch_all(&mut *connection).await.unwrap() {
        let of: String = row.get("columns");
        let of = of.split(' ').map(str::to_owned).collect();
        let (single, partial) = (row.get::<i64, _>("single"), row.get::<i64, _>("partial"));
        let index = (row.get("table_name"), of, single != 0, partial != 0);
        indexes.insert(row.get("name"), index);
    }
    let others = "SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
            AND tgname <> 'audit_is_not_emptied'
        UNION ALL SELECT 'view ' || table_name FROM information_schema.views
            WHERE table_schema = 'public' ORDER BY 1";
    let mut others = texts(connection, others.to_owned()).await;
    others.sort();
    (columns, indexes, others)
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn both_engines_have_one_schema() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("merchant.db");
    Db::open_file(&path).await.unwrap().close().await;
    let url = format!("sqlite://{}", path.display());
    let mut file = AnyConnection::connect(&url).await.unwrap();
    let place = Place::server().await;
    place.open().await.close().await;
    let mut server = place.beside().await;
    let file = schema_of_file(&mut file).await;
    let server = schema_of_server(&mut server).await;
    assert!(file.0.len() > 10 && file.1.len() > 20 && file.2.len() > 10);
    assert_eq!(file.0, server.0);
    assert_eq!(file.1, server.1);
    assert_eq!(file.2, server.2);
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn a_node_follows_the_clock_of_the_database() {
    let (place, a, _b) = nodes().await;
    a.follow_clock().await.unwrap();
    let sql = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)";
    let told = Timestamp::from_millis(count(&place, sql).await);
    let apart = now().duration_since(told).max(told.duration_since(now()));
    assert!(apart < Duration::from_secs(1), "{apart:?}");
}
