//! Which operations have refunds to look at, and whose turn it is.

use super::DbError;
use crate::clock::Millis;
use crate::domain::ledger::Asker;
use crate::domain::operation::OperationKey;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

pub(super) fn key(row: &SqliteRow) -> Result<OperationKey, DbError> {
    Ok(OperationKey::new(
        row.try_get::<String, _>("merchant_code")?,
        row.try_get::<String, _>("merchant_operation_number")?,
    ))
}

/// The operations with attempts or reversals that are on their way for too long.
pub(super) async fn with_sending(
    connection: &mut SqliteConnection,
    begun_before: Millis,
    asked_before: Millis,
) -> Result<Vec<OperationKey>, DbError> {
    let rows = sqlx::query(
        "SELECT DISTINCT merchant_code, merchant_operation_number FROM refund_attempts
         WHERE state = 'sending' AND (begun_at < ?1 OR (begun_at IS NULL AND requested_at < ?2))
         UNION
         SELECT merchant_code, merchant_operation_number FROM reversals
         WHERE state = 'sending' AND begun_at < ?1",
    )
    .bind(begun_before)
    .bind(asked_before)
    .fetch_all(connection)
    .await?;
    rows.iter().map(key).collect()
}

/// See [`super::Db::attempted`].
pub(super) async fn attempted(
    connection: &mut SqliteConnection,
    attempt_id: &str,
) -> Result<Option<OperationKey>, DbError> {
    let row = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM refund_attempts WHERE attempt_id = ?",
    )
    .bind(attempt_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(key).transpose()
}

/// See [`super::Db::attempted_by`].
pub(super) async fn attempted_by(
    connection: &mut SqliteConnection,
    asker: &Asker,
) -> Result<Vec<OperationKey>, DbError> {
    let rows = sqlx::query(
        "SELECT DISTINCT merchant_code, merchant_operation_number FROM refund_attempts
         WHERE staff = ? AND idempotency_key = ?",
    )
    .bind(&asker.staff)
    .bind(&asker.key)
    .fetch_all(connection)
    .await?;
    rows.iter().map(key).collect()
}

/// See [`super::Db::returned_by`].
pub(super) async fn returned_by(
    connection: &mut SqliteConnection,
    asker: &Asker,
) -> Result<Option<OperationKey>, DbError> {
    let row = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM manual_returns
         WHERE staff = ? AND idempotency_key = ?",
    )
    .bind(&asker.staff)
    .bind(&asker.key)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(key).transpose()
}

/// See [`super::Db::operation_of_return`].
pub(super) async fn of_return(
    connection: &mut SqliteConnection,
    return_id: &str,
) -> Result<Option<OperationKey>, DbError> {
    let row = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM manual_returns WHERE return_id = ?",
    )
    .bind(return_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(key).transpose()
}

/// See [`super::Db::operation_of_reversal`].
pub(super) async fn of_reversal(
    connection: &mut SqliteConnection,
    reversal_id: &str,
) -> Result<Option<OperationKey>, DbError> {
    let row = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM reversals WHERE reversal_id = ?",
    )
    .bind(reversal_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(key).transpose()
}
