//! Exceptions that are noted when they are found, in a table for each kind, with their detail.

use super::engine::Connection;
use super::error::DbError;
use crate::clock::now;
use payment_rules::operation::OperationKey;
use sqlx::AssertSqlSafe;

/// A table of such exceptions.
#[derive(Debug, Clone, Copy)]
pub(super) enum Noted {
    /// More was given back than is paid.
    Excess,
    /// A statement of the payment service says something else.
    Difference,
}

impl Noted {
    fn table(self) -> &'static str {
        match self {
            Self::Excess => "excesses",
            Self::Difference => "differences",
        }
    }
}

/// Adds an operation to the table, or removes it without a detail. Another detail makes it a new
/// exception, even after somebody resolved the first one.
pub(super) async fn follow(
    connection: &mut Connection,
    noted: Noted,
    key: &OperationKey,
    detail: Option<&str>,
) -> Result<(), DbError> {
    let table = noted.table();
    let sql = if detail.is_some() {
        format!(
            "INSERT INTO {table} (merchant_code, merchant_operation_number, since, detail)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (merchant_code, merchant_operation_number) DO UPDATE SET
                 since = excluded.since, detail = excluded.detail
                 WHERE {table}.detail <> excluded.detail"
        )
    } else {
        format!("DELETE FROM {table} WHERE merchant_code = $1 AND merchant_operation_number = $2")
    };
    let (code, number) = (key.merchant_code.as_str(), key.number.as_str());
    let mut statement = sqlx::query(AssertSqlSafe(sql)).bind(code).bind(number);
    if let Some(detail) = detail {
        statement = statement.bind(now().as_millis()).bind(detail);
    }
    statement.execute(connection).await?;
    Ok(())
}
