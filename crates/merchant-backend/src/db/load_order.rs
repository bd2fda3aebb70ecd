//! Loads an order with all its payments, by three statements whatever it holds.

use super::columns::optional_instant;
use super::engine::Connection;
use super::error::DbError;
use super::ledger_entries::{self, Of};
use super::{operations, orders};
use payment_rules::ledger::Ledger;
use payment_rules::payment::{Order, Payment};
use sqlx::AssertSqlSafe;

/// Loads the order of an operation, or the one with an id. The transaction must be one that sees one state,
/// or has locked the order.
pub(super) async fn load(
    connection: &mut Connection,
    of: Of<'_>,
) -> Result<Option<Order>, DbError> {
    let columns = orders::COLUMNS;
    let sql = format!(
        "SELECT {columns}, (SELECT at FROM fence) AS fence FROM orders WHERE order_id = {}",
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
    let operations = operations::of_order(&mut *connection, &facts.order_id).await?;
    let of_order = Of::Order(&facts.order_id);
    let mut entries = ledger_entries::entries(connection, of_order).await?;
    let payments = operations.into_iter().map(|operation| {
        let entries = entries.remove(&operation.key).unwrap_or_default();
        Payment {
            ledger: Ledger::new(&operation, entries),
            operation,
        }
    });
    Ok(Some(Order {
        payments: payments.collect(),
        fence: optional_instant(&row, "fence")?,
        facts,
    }))
}
