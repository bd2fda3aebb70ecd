//! Statements of every payment, which must not look at every row.

use super::{nodes, order, run};
use crate::db::scope;
use sqlx::AssertSqlSafe;

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn the_lock_of_one_operation_is_found_by_indexes() {
    let (place, a, _b) = nodes().await;
    a.add_order(&order("order")).await.unwrap();
    run(
        &place,
        "INSERT INTO operations (merchant_code, merchant_operation_number, order_id, phase, live,
             method_name, amount, currency, callback_hash, created_at, changed_at, failures)
         SELECT 'shop', n::text, 'order', 'known', 0, 'QR', 1, 'PEN', n::text, n, n, 0
         FROM generate_series(1, 10000) n;
         ANALYZE",
    )
    .await;
    let sql = scope::OPERATION
        .replace("$1", "'shop'")
        .replace("$2", "'7'");
    let mut connection = place.beside().await;
    let plan = sqlx::query_scalar::<_, String>(AssertSqlSafe(format!("EXPLAIN {sql}")));
    let plan = plan.fetch_all(&mut connection).await.unwrap().join("\n");
    assert!(plan.contains("Index Scan using operations_"), "{plan}");
    assert!(!plan.contains("Seq Scan on operations"), "{plan}");
}
