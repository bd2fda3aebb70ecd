//! Requests to cancel an operation as rows.

use super::DbError;
use super::row_parts::release;
use crate::clock::{Millis, now};
use crate::domain::ledger::{Purpose, ReversalRecord};
use crate::domain::operation::{OperationKey, OperationRecord};
use payment_model::Outcome;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use staff_model::ReversalState;

pub(super) const OF_OPERATION: &str = "SELECT * FROM reversals
    WHERE merchant_code = ? AND merchant_operation_number = ? ORDER BY rowid";

pub(super) fn read(row: &SqliteRow) -> Result<ReversalRecord, DbError> {
    let state: String = row.try_get("state")?;
    let purpose: String = row.try_get("purpose")?;
    Ok(ReversalRecord {
        id: row.try_get("reversal_id")?,
        amount: row.try_get::<i64, _>("amount")?.cast_unsigned(),
        purpose: Purpose::from_word(&purpose)
            .ok_or_else(|| DbError::missing(format!("a known purpose instead of {purpose:?}")))?,
        staff: row.try_get("staff")?,
        begun_at: row.try_get("begun_at")?,
        changed_at: row.try_get("changed_at")?,
        state: ReversalState::from_word(&state)
            .ok_or_else(|| DbError::missing(format!("a known state instead of {state:?}")))?,
        lost_until: row.try_get("lost_until")?,
        arrives_until: row.try_get("arrives_until")?,
        service_status: row.try_get("service_status")?,
        detail: row.try_get("detail")?,
        release: release(row)?,
    })
}

pub(super) async fn save(
    connection: &mut SqliteConnection,
    key: &OperationKey,
    reversal: &ReversalRecord,
) -> Result<(), DbError> {
    let release = reversal.release.as_ref();
    sqlx::query(
        "INSERT INTO reversals (reversal_id, merchant_code, merchant_operation_number, amount,
             purpose, staff, begun_at, changed_at, state, lost_until, arrives_until, service_status,
             detail, released_by, released_at, release_reason)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (reversal_id) DO UPDATE SET purpose = excluded.purpose,
             staff = excluded.staff, begun_at = excluded.begun_at,
             changed_at = excluded.changed_at, state = excluded.state,
             lost_until = excluded.lost_until, arrives_until = excluded.arrives_until, service_status = excluded.service_status,
             detail = excluded.detail, released_by = excluded.released_by,
             released_at = excluded.released_at, release_reason = excluded.release_reason",
    )
    .bind(&reversal.id)
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(reversal.amount.cast_signed())
    .bind(reversal.purpose.as_str())
    .bind(&reversal.staff)
    .bind(reversal.begun_at)
    .bind(reversal.changed_at)
    .bind(reversal.state.as_str())
    .bind(reversal.lost_until)
    .bind(reversal.arrives_until)
    .bind(reversal.service_status)
    .bind(&reversal.detail)
    .bind(release.map(|release| release.by.as_str()))
    .bind(release.map(|release| release.at))
    .bind(release.map(|release| release.reason.as_str()))
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends a request once its operation is known to be cancelled or reversed, in the transaction
/// that writes the state.
pub(super) async fn follow(
    connection: &mut SqliteConnection,
    record: &OperationRecord,
) -> Result<(), DbError> {
    if !matches!(
        record.outcome(),
        Some(Outcome::Cancelled | Outcome::Reversed)
    ) {
        return Ok(());
    }
    sqlx::query(
        "UPDATE reversals SET state = 'done', detail = '', changed_at = ?
         WHERE merchant_code = ? AND merchant_operation_number = ?
             AND state IN ('sending', 'in_doubt')",
    )
    .bind(now())
    .bind(record.key.merchant_code.as_str())
    .bind(record.key.number.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// See [`super::Db::has_over_reversal`].
pub(super) async fn is_over(
    connection: &mut SqliteConnection,
    key: &OperationKey,
    began: Millis,
) -> Result<bool, DbError> {
    let found = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM reversals WHERE merchant_code = ?
             AND merchant_operation_number = ? AND state = 'in_doubt' AND arrives_until <= ?)",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(began)
    .fetch_one(connection)
    .await?;
    Ok(found)
}
