//! How many statements it takes to load what a decision rests on.

use super::{key, nodes, operation, order, pending};
use crate::clock::instant;
use crate::db::connections::Db;
use crate::db::engine::Connection;
use crate::db::load_order;
use crate::db::load_order::LoadBy;
use payment_rules::ledger::Ledger;
use payment_rules::ledger::fixture::reserve;
use payment_rules::operation::OperationRecord;

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
