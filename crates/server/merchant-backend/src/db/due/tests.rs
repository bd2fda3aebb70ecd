use super::{Due, MAX_SPREAD, SPREAD_STEP};
use crate::clock::{Moment, instant, now};
use crate::db::Db;
use crate::db::lock::Lock;
use crate::db::testing::{Place, RECEIVER};
use payment_model::Timestamp;
use payment_rules::operation::fixture::record;
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::order::{OrderFacts, OrderState};
use sqlx::AssertSqlSafe;
use std::path::Path;
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(1);

/// A database with so many orders, each with one operation, one watch and one event; the numbers of
/// operation and order tell their age.
pub(in crate::db) async fn filled(place: &Place, count: i64) -> Db {
    let db = place.open().await;
    fill(&db, count).await;
    db
}

pub(in crate::db) async fn filled_file(path: &Path, count: i64) -> Db {
    let db = Db::open_file(path).await.unwrap();
    fill(&db, count).await;
    db
}

async fn fill(db: &Db, count: i64) {
    for n in 1..=count {
        let order = OrderFacts {
            order_id: n.to_string(),
            label: None,
            session_hash: "hash".to_owned(),
            created_at: instant(n),
            amount: 38_700,
            currency: "PEN".to_owned(),
            merchant_code: "shop".to_owned(),
            items: Vec::new(),
            customer: payment_model::Person::default(),
            state: OrderState::Open,
            paid_twice: false,
            described_at: None,
            order_key_hash: None,
            methods: None,
            pay_until: None,
            unpaid_at: None,
        };
        db.add_order(&order).await.unwrap();
        let record = OperationRecord {
            key: OperationKey::new("shop", n.to_string()),
            order_id: n.to_string(),
            callback_hash: n.to_string(),
            created_at: instant(n),
            phase: payment_rules::operation::Phase::Known,
            ..record()
        };
        db.put(&record).await.unwrap();
        run(
            db,
            &format!(
                "INSERT INTO refund_watches (merchant_code, merchant_operation_number, failures)
                     VALUES ('shop', '{n}', 0);
                 INSERT INTO events (event_id, type, merchant_code, order_id, created_at, body)
                     VALUES ('{n}', 'order.paid', 'shop', '{n}', {n}, '{{}}');
                 INSERT INTO deliveries (event_seq, receiver, merchant_code, order_id)
                     SELECT seq, '{RECEIVER}', 'shop', '{n}' FROM events WHERE event_id = '{n}'"
            ),
        )
        .await;
    }
}

pub(in crate::db) async fn run(db: &Db, sql: &str) {
    let mut writing = db.write(Lock::None).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(&mut *writing)
        .await
        .unwrap();
    writing.commit().await.unwrap();
}

async fn take(db: &Db, due: Due<'_>, at: Moment, limit: u32) -> Vec<String> {
    match due {
        Due::Operations => {
            let taken = db.take_due(at, LEASE, limit).await.unwrap();
            taken.into_iter().map(|record| record.order_id).collect()
        }
        Due::RefundWatches => {
            let taken = db.take_due_refunds(at, LEASE, limit).await.unwrap();
            taken
                .into_iter()
                .map(|key| key.number.as_str().to_owned())
                .collect()
        }
        Due::Deliveries(receiver) => {
            let taken = db
                .take_due_events(receiver, at, LEASE, limit)
                .await
                .unwrap();
            taken.into_iter().map(|event| event.id).collect()
        }
    }
}

async fn next(db: &Db, due: Due<'_>, at: Moment) -> Option<Timestamp> {
    match due {
        Due::Operations => db.next_due(at).await.unwrap(),
        Due::RefundWatches => db.next_due_refunds(at).await.unwrap(),
        Due::Deliveries(receiver) => db.next_due_event(receiver, at).await.unwrap(),
    }
}

#[tokio::test]
async fn a_plan_of_a_clock_that_was_set_back_is_due_and_a_lease_never_is() {
    let directory = tempfile::tempdir().unwrap();
    let db = filled_file(&directory.path().join("merchant.db"), 1).await;
    // By the wall clock it is 1000, by the steady one 50: no lease compares with a plan.
    let at = Moment {
        wall: instant(1000),
        steady: instant(50),
    };
    let rows: [(&str, &str, &str, Option<Timestamp>); 11] = [
        ("NULL", "NULL", "NULL", None),
        ("1000", "900", "NULL", Some(instant(1000))),
        ("10", "5", "NULL", Some(instant(10))),
        ("1001", "900", "NULL", Some(instant(1001))),
        ("9000", "1000", "NULL", Some(instant(9000))),
        // Planned ten seconds from now, for two seconds later.
        ("13000", "11000", "NULL", Some(instant(1000))),
        ("10", "5", "51", Some(instant(1001))),
        ("13000", "11000", "51", Some(instant(1001))),
        ("13000", "11000", "9000", Some(instant(9950))),
        ("10", "5", "50", Some(instant(1000))),
        ("13000", "11000", "49", Some(instant(1000))),
    ];
    for due in Due::ALL {
        for (due_at, planned_at, leased_until, expected) in rows {
            let sql = format!(
                "UPDATE {} SET due_at = {due_at}, planned_at = {planned_at}, leased_until = {leased_until}",
                due.table()
            );
            run(&db, &sql).await;
            assert_eq!(next(&db, due, at).await, expected, "{due:?}: {sql}");
            let taken = take(&db, due, at, 10).await.len();
            let is_due = expected.is_some_and(|next| next <= at.wall);
            assert_eq!(taken, usize::from(is_due), "{due:?}: {sql}");
            assert!(take(&db, due, at, 10).await.is_empty(), "{due:?}: {sql}");
        }
    }
}

#[tokio::test]
async fn a_lease_ends_when_its_time_has_passed_wherever_the_wall_clock_stands() {
    let directory = tempfile::tempdir().unwrap();
    let db = filled_file(&directory.path().join("merchant.db"), 1).await;
    let at = |wall, steady| Moment {
        wall: instant(wall),
        steady: instant(steady),
    };
    for due in Due::ALL {
        let plan = format!("UPDATE {} SET due_at = 500, planned_at = 400", due.table());
        run(&db, &plan).await;
        assert_eq!(take(&db, due, at(1000, 0), 1).await.len(), 1);
        for wall in [0, 450, 1000, 1_000_000_000] {
            assert!(take(&db, due, at(wall, 999), 1).await.is_empty());
        }
        for (wall, steady) in [(450, 1000), (1_000_000_000, 2000), (0, 3000)] {
            let taken = take(&db, due, at(wall, steady), 1).await.len();
            // At 450 the plan is not due, and its clock is still the present one.
            assert_eq!(taken, usize::from(wall != 450), "{due:?} {wall}");
        }
    }
}

#[tokio::test]
async fn another_plan_ends_the_lease_and_the_same_one_is_as_old_as_it_was() {
    let place = Place::new().await;
    let db = filled(&place, 1).await;
    let key = OperationKey::new("shop", "1");
    let (far, at) = (
        now().saturating_add(Duration::from_mins(10)),
        Moment {
            wall: now(),
            steady: instant(0),
        },
    );
    let later = |at: Timestamp| at.saturating_add(Duration::from_millis(1));
    let plan = format!("UPDATE operations SET due_at = {far}, planned_at = {far} - 1000");
    run(&db, &plan).await;
    // A write without a plan of its own leaves the plan of another clock.
    let change = |record: &mut OperationRecord| record.failure_note = Some("new".to_owned());
    db.change(&key, change).await.unwrap();
    assert_eq!(take(&db, Due::Operations, at, 1).await.len(), 1);
    assert!(take(&db, Due::Operations, at, 1).await.is_empty());
    let change = move |record: &mut OperationRecord| record.due_at = Some(later(far));
    db.change(&key, change).await.unwrap();
    let at = Moment { wall: now(), ..at };
    assert_eq!(next(&db, Due::Operations, at).await, Some(later(far)));
}

/// The rows of a table that a start made due, first one first, with how long after it.
async fn spread(db: &Db, due: Due<'_>, begun: Timestamp) -> Vec<(String, Duration)> {
    let name = match due {
        Due::Operations | Due::RefundWatches => "merchant_operation_number",
        Due::Deliveries(_) => "order_id",
    };
    let sql = format!(
        "SELECT {name}, due_at - {begun} FROM {} WHERE due_at IS NOT NULL ORDER BY due_at",
        due.table()
    );
    let rows = sqlx::query_as::<_, (String, i64)>(AssertSqlSafe(sql));
    let mut reader = db.reader().await.unwrap();
    let rows = rows.fetch_all(&mut reader).await.unwrap();
    let after = |millis| Duration::from_millis(u64::try_from(millis).unwrap());
    rows.into_iter()
        .map(|(name, millis)| (name, after(millis)))
        .collect()
}

#[tokio::test]
async fn a_start_spreads_what_is_due_with_the_newest_waiting_first_and_leaves_plans_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("merchant.db");
    let db = filled_file(&path, 6).await;
    let far = now().saturating_add(Duration::from_mins(10));
    for due in Due::ALL {
        let table = due.table();
        // The first has a plan of another clock, the second a good plan, the third and the fourth
        // are overdue, the fifth was taken when the server stopped, the sixth has no plan.
        run(
            &db,
            &format!(
                "UPDATE {table} SET due_at = {far}, planned_at = {far} - 1000 WHERE rowid = 1;
                 UPDATE {table} SET due_at = {far}, planned_at = 1 WHERE rowid = 2;
                 UPDATE {table} SET due_at = 9, planned_at = 1 WHERE rowid IN (3, 4);
                 UPDATE {table} SET due_at = {far}, planned_at = 1, leased_until = {far} WHERE rowid = 5"
            ),
        )
        .await;
    }
    run(
        &db,
        "UPDATE operations SET outcome = 'paid' WHERE rowid = 4",
    )
    .await;
    db.close().await;
    let begun = now();
    let db = Db::open_file(&path).await.unwrap();
    let took = now().duration_since(begun);
    for due in Due::ALL {
        let spread = spread(&db, due, begun).await;
        let order: Vec<&str> = spread.iter().map(|(name, _)| name.as_str()).collect();
        let expected = match due {
            Due::Operations => ["5", "3", "1", "4", "2"],
            Due::RefundWatches => ["5", "4", "3", "1", "2"],
            Due::Deliveries(_) => ["1", "3", "4", "5", "2"],
        };
        assert_eq!(order, expected, "{due:?}");
        assert_eq!(spread[4].1, far.duration_since(begun));
        let (first, last) = (spread[0].1, spread[3].1);
        assert!(first <= took, "{first:?}");
        assert_eq!(last - first, 3 * SPREAD_STEP, "{due:?}");
    }
    let all = |table| format!("SELECT count(*) FROM {table} WHERE leased_until IS NOT NULL");
    for due in Due::ALL {
        let leased = sqlx::query_scalar::<_, i64>(AssertSqlSafe(all(due.table())));
        let mut reader = db.reader().await.unwrap();
        assert_eq!(leased.fetch_one(&mut reader).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn however_much_is_due_at_a_start_it_is_within_ten_minutes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("merchant.db");
    let db = filled_file(&path, 1).await;
    run(
        &db,
        "WITH RECURSIVE many(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM many WHERE n < 40000)
         INSERT INTO operations (document, merchant_code, merchant_operation_number, order_id, phase, live,
             method_name, amount, currency, callback_hash, created_at, changed_at, failures, due_at)
         SELECT '{}', 'shop', n, '1', 'known', 0, 'QR', 38700, 'PEN', n, n, n, 0, 7 FROM many",
    )
    .await;
    db.close().await;
    let begun = now();
    let db = Db::open_file(&path).await.unwrap();
    let took = now().duration_since(begun);
    let spread = spread(&db, Due::Operations, begun).await;
    assert_eq!((spread.len(), spread[0].0.as_str()), (39_999, "40000"));
    let last = spread[39_998].1;
    let second = Duration::from_secs(1);
    assert!(
        (MAX_SPREAD - second..MAX_SPREAD + took).contains(&last),
        "{last:?}"
    );
}

#[tokio::test]
async fn a_row_that_cannot_be_read_holds_no_other_up() {
    let directory = tempfile::tempdir().unwrap();
    let db = filled_file(&directory.path().join("merchant.db"), 3).await;
    run(
        &db,
        "UPDATE operations SET due_at = 1, planned_at = 1;
         UPDATE operations SET document = '{' WHERE merchant_operation_number = '2'",
    )
    .await;
    let at = Moment {
        wall: instant(2),
        steady: instant(0),
    };
    let taken = db.take_due(at, LEASE, 32).await.unwrap();
    let numbers: Vec<_> = taken.iter().map(|one| one.key.number.as_str()).collect();
    assert_eq!(numbers, ["1", "3"]);
}
