//! Queries that are alike for all tables of the ledger.

use super::columns::key;
use super::engine::{Connection, Row};
use super::error::DbError;
use payment_rules::operation::OperationKey;
use sqlx::AssertSqlSafe;

/// These columns of an operation's rows, in the order of others.
pub(super) async fn of_operation(
    connection: &mut Connection,
    table: &'static str,
    columns: &'static str,
    order: &str,
    operation: &OperationKey,
) -> Result<Vec<Row>, DbError> {
    let sql = format!(
        "SELECT {columns} FROM {table}
         WHERE merchant_code = $1 AND merchant_operation_number = $2 ORDER BY {order}"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(operation.merchant_code.as_str())
        .bind(operation.number.as_str())
        .fetch_all(connection)
        .await?;
    Ok(rows)
}

/// The operation of the row whose `column` holds this id.
pub(super) async fn operation_with(
    connection: &mut Connection,
    table: &'static str,
    column: &'static str,
    id: &str,
) -> Result<Option<OperationKey>, DbError> {
    let sql =
        format!("SELECT merchant_code, merchant_operation_number FROM {table} WHERE {column} = $1");
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(key).transpose()
}
