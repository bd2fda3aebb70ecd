//! A query that is alike for all tables of the ledger.

use super::columns::key;
use super::engine::Connection;
use super::error::DbError;
use payment_rules::operation::OperationKey;
use sqlx::AssertSqlSafe;

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
