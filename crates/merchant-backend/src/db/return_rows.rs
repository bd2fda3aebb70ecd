//! Returns by hand as rows.

use super::DbError;
use super::row_parts::asker;
use crate::domain::ledger::{ReturnEnd, ReturnRecord};
use crate::domain::operation::OperationKey;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use staff_model::ReturnState;

pub(super) const OF_OPERATION: &str = "SELECT * FROM manual_returns
    WHERE merchant_code = ? AND merchant_operation_number = ? ORDER BY at, rowid";

pub(super) fn read(row: &SqliteRow) -> Result<ReturnRecord, DbError> {
    let state: String = row.try_get("state")?;
    let end = match row.try_get("ended_by")? {
        Some(by) => Some(ReturnEnd {
            by,
            at: row.try_get("ended_at")?,
            reason: row.try_get("end_reason")?,
        }),
        None => None,
    };
    Ok(ReturnRecord {
        id: row.try_get("return_id")?,
        amount: row.try_get::<i64, _>("amount")?.cast_unsigned(),
        reason: row.try_get("reason")?,
        asker: asker(row)?,
        at: row.try_get("at")?,
        state: ReturnState::from_word(&state)
            .ok_or_else(|| DbError::missing(format!("a known state instead of {state:?}")))?,
        already_made: row.try_get("already_made")?,
        end,
    })
}

/// Writes a return; of one that is there, only its end.
pub(super) async fn save(
    connection: &mut SqliteConnection,
    key: &OperationKey,
    returned: &ReturnRecord,
) -> Result<(), DbError> {
    let end = returned.end.as_ref();
    sqlx::query(
        "INSERT INTO manual_returns (return_id, merchant_code, merchant_operation_number, amount,
             reason, staff, idempotency_key, at, state, already_made, ended_by, ended_at, end_reason)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (staff, idempotency_key) DO UPDATE SET state = excluded.state,
             ended_by = excluded.ended_by, ended_at = excluded.ended_at,
             end_reason = excluded.end_reason",
    )
    .bind(&returned.id)
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(returned.amount.cast_signed())
    .bind(&returned.reason)
    .bind(&returned.asker.staff)
    .bind(&returned.asker.key)
    .bind(returned.at)
    .bind(returned.state.as_str())
    .bind(returned.already_made)
    .bind(end.map(|end| end.by.as_str()))
    .bind(end.map(|end| end.at))
    .bind(end.map(|end| end.reason.as_str()))
    .execute(connection)
    .await?;
    Ok(())
}
