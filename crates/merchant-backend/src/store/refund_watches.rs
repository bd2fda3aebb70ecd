//! Which operations have refunds to look at, and whose turn it is.

use super::due::{self, Due};
use super::{StoreError, Turn};
use crate::clock::{Millis, Moment};
use crate::operation::OperationKey;
use crate::refund::Asker;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

fn key(row: &SqliteRow) -> Result<OperationKey, StoreError> {
    Ok(OperationKey::new(
        row.try_get::<String, _>("merchant_code")?,
        row.try_get::<String, _>("merchant_operation_number")?,
    ))
}

/// See [`super::Refunds::take_look_up`].
pub(super) async fn take_turn(
    connection: &mut SqliteConnection,
    key: &OperationKey,
    now: Millis,
    interval: Millis,
) -> Result<Turn, StoreError> {
    let last: Option<Millis> = sqlx::query_scalar(
        "SELECT asked_at FROM refund_watches WHERE merchant_code = ? AND merchant_operation_number = ?",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .fetch_optional(&mut *connection)
    .await?
    .flatten();
    let age = last.map(|last| now.saturating_sub(last));
    if let Some(age) = age.filter(|age| (0..interval).contains(age)) {
        return Ok(Turn::Wait(interval.saturating_sub(age)));
    }
    sqlx::query(
        "INSERT INTO refund_watches (merchant_code, merchant_operation_number, failures, asked_at)
         VALUES (?, ?, 0, ?)
         ON CONFLICT DO UPDATE SET asked_at = excluded.asked_at",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(now)
    .execute(connection)
    .await?;
    Ok(Turn::Taken)
}

/// See [`super::Refunds::take_due_refunds`].
pub(super) async fn take_due(
    connection: &mut SqliteConnection,
    at: Moment,
    lease: Millis,
    limit: u32,
) -> Result<Vec<OperationKey>, StoreError> {
    let rows = due::take(connection, Due::RefundWatches, at, lease, limit).await?;
    rows.iter().map(key).collect()
}

/// The operations with attempts or reversals that are on their way for too long.
pub(super) async fn with_sending(
    connection: &mut SqliteConnection,
    begun_before: Millis,
    asked_before: Millis,
) -> Result<Vec<OperationKey>, StoreError> {
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

/// See [`super::Refunds::attempted`].
pub(super) async fn attempted(
    connection: &mut SqliteConnection,
    attempt_id: &str,
) -> Result<Option<OperationKey>, StoreError> {
    let row = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM refund_attempts WHERE attempt_id = ?",
    )
    .bind(attempt_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(key).transpose()
}

/// See [`super::Refunds::attempted_by`].
pub(super) async fn attempted_by(
    connection: &mut SqliteConnection,
    asker: &Asker,
) -> Result<Vec<OperationKey>, StoreError> {
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

/// See [`super::Refunds::returned_by`].
pub(super) async fn returned_by(
    connection: &mut SqliteConnection,
    asker: &Asker,
) -> Result<Option<OperationKey>, StoreError> {
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

/// See [`super::Refunds::operation_of_return`].
pub(super) async fn of_return(
    connection: &mut SqliteConnection,
    return_id: &str,
) -> Result<Option<OperationKey>, StoreError> {
    let row = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM manual_returns WHERE return_id = ?",
    )
    .bind(return_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(key).transpose()
}

/// See [`super::Refunds::operation_of_reversal`].
pub(super) async fn of_reversal(
    connection: &mut SqliteConnection,
    reversal_id: &str,
) -> Result<Option<OperationKey>, StoreError> {
    let row = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM reversals WHERE reversal_id = ?",
    )
    .bind(reversal_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(key).transpose()
}
