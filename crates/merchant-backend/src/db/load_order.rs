//! Loads an order with all its payments, by three statements whatever it holds.

use super::columns::{Columns, instant, optional_instant};
use super::engine::{Connection, ROW_ID, Row};
use super::error::DbError;
use super::ledger_entries::{self, Of};
use super::{operation_row, orders};
use payment_rules::ledger::Ledger;
use payment_rules::operation::OperationRecord;
use payment_rules::payment::{BlockReleaseRecord, Order, Payment};
use sqlx::AssertSqlSafe;

/// Loads the order of an operation, or the one with an id. The transaction must be one that sees one
/// state, or has locked the order.
pub(super) async fn load(
    connection: &mut Connection,
    of: Of<'_>,
) -> Result<Option<Order>, DbError> {
    let columns = orders::COLUMNS;
    let sql = format!(
        "SELECT {columns}, purged_at, (SELECT at FROM fence) AS fence FROM orders
         WHERE order_id = {}",
        match of {
            Of::Operation(_) => {
                "(SELECT order_id FROM operations
                  WHERE merchant_code = $1 AND merchant_operation_number = $2)"
            }
            Of::Order(_) => "$1",
        }
    );
    let query = of.bind(sqlx::query(AssertSqlSafe(sql)));
    let Some(row) = query.fetch_optional(&mut *connection).await? else {
        return Ok(None);
    };
    let facts = orders::read(&row)?;
    let operations = operations(&mut *connection, &facts.order_id).await?;
    let of_order = Of::Order(&facts.order_id);
    let mut entries = ledger_entries::entries(connection, of_order).await?;
    let payments = operations
        .into_iter()
        .map(|(operation, block_release)| Payment {
            ledger: Ledger::new(
                &operation,
                entries.remove(&operation.key).unwrap_or_default(),
            ),
            operation,
            block_release,
        });
    Ok(Some(Order {
        fence: optional_instant(&row, "fence")?,
        payer_is_forgotten: optional_instant(&row, "purged_at")?.is_some(),
        ..Order::new(facts, payments.collect())
    }))
}

/// The operations of an order, the oldest first, each with the release of the block that it causes now.
async fn operations(
    connection: &mut Connection,
    order_id: &str,
) -> Result<Vec<(OperationRecord, Option<BlockReleaseRecord>)>, DbError> {
    let columns = operation_row::COLUMNS;
    let sql = format!(
        "SELECT {columns}, block_asked_by, block_asked_at, block_reason, block_released_by,
             block_released_at
         FROM operations LEFT JOIN (SELECT merchant_code AS block_code,
                 merchant_operation_number AS block_number, blocked_since AS block_since,
                 asked_by AS block_asked_by, asked_at AS block_asked_at, reason AS block_reason,
                 released_by AS block_released_by, released_at AS block_released_at
                 FROM block_releases) AS block
             ON block_code = merchant_code AND block_number = merchant_operation_number
                 AND block_since = blocked_since
         WHERE order_id = $1 ORDER BY created_at, {ROW_ID}"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(order_id)
        .fetch_all(connection)
        .await?;
    let read = |row| Ok((operation_row::read(row)?, block_release(row)?));
    rows.iter().map(read).collect()
}

fn block_release(row: &Row) -> Result<Option<BlockReleaseRecord>, DbError> {
    let Some(asked_by) = row.optional_text("block_asked_by")? else {
        return Ok(None);
    };
    let released_by = row.optional_text("block_released_by")?;
    let released_at = optional_instant(row, "block_released_at")?;
    Ok(Some(BlockReleaseRecord {
        blocked_since: instant(row, "blocked_since")?,
        asked_by,
        asked_at: instant(row, "block_asked_at")?,
        reason: row.text("block_reason")?,
        released: released_by.zip(released_at),
    }))
}
