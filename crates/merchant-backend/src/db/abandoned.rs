//! Orders without an operation, as they are removed.

use super::DbError;
use crate::clock::Millis;
use sqlx::SqliteConnection;

/// The oldest of them; one whose attempt runs right now is left.
const FIND: &str = "SELECT order_id FROM orders
    WHERE begun = 0 AND created_at < ?1
        AND NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.order_id = orders.order_id
            AND running_until IS NOT NULL)
    ORDER BY created_at LIMIT ?2";

pub(super) async fn find(
    connection: &mut SqliteConnection,
    before: Millis,
    limit: u32,
) -> Result<Vec<String>, DbError> {
    let orders = sqlx::query_scalar(FIND).bind(before).bind(limit);
    Ok(orders.fetch_all(connection).await?)
}

/// Removes these orders with what their payers tried; all of them are without an operation.
pub(super) async fn remove(
    connection: &mut SqliteConnection,
    orders: &[String],
) -> Result<u64, DbError> {
    let orders = serde_json::to_string(orders)?;
    for sql in [
        "DELETE FROM idempotency_keys WHERE order_id IN (SELECT value FROM json_each(?))",
        "DELETE FROM orders WHERE order_id IN (SELECT value FROM json_each(?))",
    ] {
        sqlx::query(sql)
            .bind(&orders)
            .execute(&mut *connection)
            .await?;
    }
    let removed = sqlx::query_scalar("SELECT changes()");
    let removed: i64 = removed.fetch_one(connection).await?;
    Ok(removed.unsigned_abs())
}
