//! Statements of every payment and every day, which must not look at every row, and how many statements load what a decision
//! rests on.

use super::{key, nodes, operation, order, pending, run};
use crate::clock::instant;
use crate::db::connections::Db;
use crate::db::due::Due;
use crate::db::engine::{Connection, Engine, ROW_ID};
use crate::db::load_order::LoadBy;
use crate::db::query_plans::{by_number, frequent_searches};
use crate::db::staff_views::{search_order, search_statement};
use crate::db::testing::Place;
use crate::db::{exception_list, load_order, lock};
use payment_rules::ledger::Ledger;
use payment_rules::ledger::fixture::reserve;
use payment_rules::operation::OperationRecord;
use sqlx::AssertSqlSafe;

/// More than PostgreSQL plans for the values alone.
const REPETITIONS: usize = 7;

/// A connection to a server with a year of operations, each of an order of its own. Of fewer rows it
/// would read all, which costs less than an index.
async fn filled() -> Option<(Place, Connection)> {
    let place = Place::server().await?;
    drop(place.open().await);
    run(
        &place,
        "INSERT INTO orders (merchant_code, order_id, session_hash, created_at, amount, currency, items, customer, state)
         SELECT 'shop', 'order-' || n, n::text, n, n, 'PEN', '[]', '{}', 'paid' FROM generate_series(1, 40000) n;
         INSERT INTO operations (document, merchant_code, merchant_operation_number, order_id, phase, live,
             method_name, state, outcome, amount, currency, callback_hash, created_at, changed_at, failures,
             due_at, planned_at)
         SELECT '{}', 'shop', n::text, 'order-' || n, 'known', 0,
             CASE WHEN n % 10 < 8 THEN 'QR' ELSE 'CARD' END,
             CASE WHEN n % 500 = 0 THEN 'EXTORNADO' WHEN n % 9 = 0 THEN 'EXPIRADO' ELSE 'LIQUIDADO' END,
             CASE WHEN n % 500 = 0 OR n % 9 = 0 THEN 'unpaid' ELSE 'paid' END,
             n, 'PEN', n::text, n * 788400, n * 788400, 0,
             CASE WHEN n % 4 = 0 THEN n * 788400 END, CASE WHEN n % 4 = 0 THEN 1 END
         FROM generate_series(1, 40000::bigint) n;
         ANALYZE",
    )
    .await;
    let connection = place.beside().await;
    Some((place, connection))
}

/// How many rows of the operations a statement looks at, at the most: a connection that has planned
/// it some times may take one plan for all values.
async fn looks_at(connection: &mut Connection, sql: &str, values: &[String]) -> (f64, String) {
    // PostgreSQL wants the type of a parameter that the statement does not use.
    let type_of = |value: &String| {
        if value.starts_with('\'') {
            "text"
        } else {
            "bigint"
        }
    };
    let types: Vec<_> = values.iter().map(type_of).collect();
    let sql = format!("PREPARE it ({}) AS {sql}", types.join(", "));
    let prepared = sqlx::raw_sql(AssertSqlSafe(sql));
    prepared.execute(&mut *connection).await.unwrap();
    let mut most = (0.0, String::new());
    for _ in 0..REPETITIONS {
        let explained = format!("EXPLAIN ANALYZE EXECUTE it({})", values.join(", "));
        let explained = sqlx::query_scalar::<_, String>(AssertSqlSafe(explained));
        let plan = explained.fetch_all(&mut *connection).await.unwrap();
        let rows = rows_of_operations(&plan);
        if rows >= most.0 {
            most = (rows, plan.join("\n"));
        }
    }
    let forgotten = sqlx::raw_sql("DEALLOCATE it");
    forgotten.execute(connection).await.unwrap();
    most
}

/// The rows that the steps of a plan read from the operations, with those that they left out.
fn rows_of_operations(plan: &[String]) -> f64 {
    let number = |line: &str, name: &str| -> f64 {
        let found = line.split(name).nth(1).map_or("0", |rest| {
            rest.split([' ', ')'])
                .find(|part| !part.is_empty())
                .unwrap()
        });
        found.parse().unwrap()
    };
    let (mut rows, mut loops) = (0.0, 0.0);
    for line in plan {
        if let Some((step, actual)) = line.split_once("(actual ") {
            let ours = step.contains(" on operations");
            loops = if ours { number(actual, "loops=") } else { 0.0 };
            rows += number(actual, "rows=") * loops;
        } else if line.contains("Rows Removed by") {
            rows += number(line, ": ") * loops;
        }
    }
    rows
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

#[tokio::test]
async fn the_lock_of_one_operation_is_found_by_indexes() {
    let Some((_place, mut connection)) = filled().await else {
        return;
    };
    let values = texts(&["'shop'", "'7'"]);
    let (rows, plan) = looks_at(&mut connection, lock::OPERATION, &values).await;
    assert!((1.0..5.0).contains(&rows), "{plan}");
}

#[tokio::test]
async fn frequent_searches_look_at_few_rows_more_than_they_show() {
    let Some((_place, mut connection)) = filled().await else {
        return;
    };
    for search in frequent_searches() {
        let mut sql = search_statement(Engine::Postgres, &search).unwrap();
        sql.push(search_order(search.sort)).push_bind(51);
        let (rows, plan) = looks_at(&mut connection, sql.sql(), &sql.literals()).await;
        assert!(rows < 100.0, "{search:?}: {plan}");
    }
    let sql = search_statement(Engine::Postgres, &by_number()).unwrap();
    let (rows, plan) = looks_at(&mut connection, sql.sql(), &sql.literals()).await;
    assert!((1.0..10.0).contains(&rows), "{plan}");
}

#[tokio::test]
async fn exceptions_and_what_is_due_are_found_without_looking_at_every_operation() {
    let Some((_place, mut connection)) = filled().await else {
        return;
    };
    let all = texts(&["1", "1", "'[\"shop\"]'", "100"]);
    let some = texts(&["1", "1", "'[1, 2]'"]);
    let counts = texts(&["1", "1", "'[\"shop\"]'"]);
    let mut statements = vec![
        (exception_list::all_statement(Engine::Postgres).0, all),
        (exception_list::some_statement(Engine::Postgres).0, some),
        (exception_list::counts_statement(Engine::Postgres).0, counts),
    ];
    for due in Due::ALL {
        let receiver = due.receiver().map(|name| format!("'{name}'"));
        let with_receiver = |values: &[&str]| {
            let values = values.iter().map(|value| (*value).to_owned());
            values.chain(receiver.clone()).collect::<Vec<_>>()
        };
        let take = due.take_statement(Engine::Postgres, ROW_ID);
        statements.push((take, with_receiver(&["1", "1", "1", "100"])));
        let next = due.next_statement(Engine::Postgres);
        statements.push((next, with_receiver(&["1", "1"])));
    }
    for (sql, values) in statements {
        let (rows, plan) = looks_at(&mut connection, &sql, &values).await;
        assert!(rows < 100.0, "{sql}: {plan}");
    }
}

/// How many statements this connection has run that were prepared, as all statements with parameters are.
async fn statements(connection: &mut Connection) -> i64 {
    let count = sqlx::query_scalar(
        "SELECT CAST(coalesce(sum(generic_plans + custom_plans), 0) AS BIGINT)
         FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_prepared_statements%'",
    );
    count.fetch_one(connection).await.unwrap()
}

/// Loads the order of an operation. How many operations and refund attempts it holds, and the number of
/// statements.
async fn load(db: &Db, number: &str) -> (usize, usize, i64) {
    let mut transaction = db.read().await.unwrap();
    let before = statements(&mut transaction).await;
    let order = load_order::load(&mut transaction, LoadBy::Operation(&key(number))).await;
    let order = order.unwrap().unwrap();
    let run = statements(&mut transaction).await - before;
    let attempts = order.payments.iter().map(|one| one.ledger.attempts.len());
    (order.payments.len(), attempts.sum(), run)
}

#[tokio::test]
async fn an_order_is_loaded_by_two_statements_whatever_it_holds() {
    let Some((_place, db, _)) = nodes().await else {
        return;
    };
    db.add_order(&order("order")).await.unwrap();
    pending(&db, "1").await;
    assert_eq!(load(&db, "1").await, (1, 0, 2));
    pending(&db, "2").await;
    pending(&db, "3").await;
    let paid = operation("1", "LIQUIDADO");
    let change = |record: &mut OperationRecord| *record = paid.clone();
    db.change(&key("1"), change).await.unwrap();
    let reserve_two = |ledger: &mut Ledger| {
        reserve(ledger, "first", 100, instant(1));
        reserve(ledger, "second", 100, instant(2));
    };
    db.change_ledger(&key("1"), reserve_two).await.unwrap();
    assert_eq!(load(&db, "3").await, (3, 2, 2));
}
