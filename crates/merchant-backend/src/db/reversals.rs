//! `reversals`: requests to cancel an operation.

use super::columns::{
    self, Columns, amount, instant, key, optional_instant, optional_number, release,
};
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use payment_model::Timestamp;
use payment_rules::ledger::{EndCause, Purpose, ReversalRecord};
use payment_rules::operation::OperationKey;
use staff_model::ReversalState;

impl Db {
    /// When the request to cancel an operation left that is on its way or in doubt.
    pub(crate) async fn pending_cancellation(
        &self,
        key: &OperationKey,
    ) -> Result<Option<Timestamp>, DbError> {
        pending(&mut *self.reader().await?, key).await
    }

    /// The operation that a reversal belongs to.
    pub(crate) async fn operation_of_reversal(
        &self,
        reversal_id: &str,
    ) -> Result<Option<OperationKey>, DbError> {
        let mut reader = self.reader().await?;
        columns::operation_with(&mut reader, "reversals", "reversal_id", reversal_id).await
    }
}

/// When the request to cancel an operation left that is on its way or in doubt.
pub(super) async fn pending(
    connection: &mut Connection,
    key: &OperationKey,
) -> Result<Option<Timestamp>, DbError> {
    let pending = sqlx::query_scalar::<_, i64>(
        "SELECT begun_at FROM reversals WHERE merchant_code = $1
             AND merchant_operation_number = $2 AND state IN ('sending', 'in_doubt')",
    );
    let pending = pending
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str());
    let pending = pending.fetch_optional(connection).await?;
    Ok(pending.map(Timestamp::from_millis))
}

/// The columns that [`read`] reads.
pub(super) const COLUMNS: &str =
    "reversal_id, amount, purpose, staff, cause, begun_at, changed_at, state,
    lost_until, arrives_until, service_status, detail, released_by, released_at, release_reason";

pub(super) fn read(row: &impl Columns) -> Result<ReversalRecord, DbError> {
    let state = row.text("state")?;
    let purpose = row.text("purpose")?;
    let cause = row.optional_text("cause")?;
    Ok(ReversalRecord {
        id: row.text("reversal_id")?,
        amount: amount(row)?,
        purpose: Purpose::from_word(&purpose)
            .ok_or_else(|| DbError::missing(format!("a known purpose instead of {purpose:?}")))?,
        staff: row.optional_text("staff")?,
        cause: cause.as_deref().and_then(EndCause::from_word),
        begun_at: instant(row, "begun_at")?,
        changed_at: instant(row, "changed_at")?,
        state: ReversalState::from_word(&state)
            .ok_or_else(|| DbError::missing(format!("a known state instead of {state:?}")))?,
        may_run_until: instant(row, "lost_until")?,
        may_arrive_until: optional_instant(row, "arrives_until")?,
        service_status: optional_number(row, "service_status")?,
        detail: row.text("detail")?,
        release: release(row)?,
    })
}

/// Writes a request over its row, or as a new one.
pub(super) async fn save(
    connection: &mut Connection,
    key: &OperationKey,
    reversal: &ReversalRecord,
) -> Result<(), DbError> {
    let release = reversal.release.as_ref();
    sqlx::query(
        "INSERT INTO reversals (reversal_id, merchant_code, merchant_operation_number, amount,
             purpose, staff, begun_at, changed_at, state, lost_until, arrives_until, service_status,
             detail, released_by, released_at, release_reason, cause)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         ON CONFLICT (reversal_id) DO UPDATE SET purpose = excluded.purpose,
             staff = excluded.staff, cause = excluded.cause, begun_at = excluded.begun_at,
             changed_at = excluded.changed_at, state = excluded.state,
             lost_until = excluded.lost_until, arrives_until = excluded.arrives_until,
             service_status = excluded.service_status,
             detail = excluded.detail, released_by = excluded.released_by,
             released_at = excluded.released_at, release_reason = excluded.release_reason",
    )
    .bind(&reversal.id)
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(reversal.amount.cast_signed())
    .bind(reversal.purpose.as_str())
    .bind(&reversal.staff)
    .bind(reversal.begun_at.as_millis())
    .bind(reversal.changed_at.as_millis())
    .bind(reversal.state.as_str())
    .bind(reversal.may_run_until.as_millis())
    .bind(reversal.may_arrive_until.map(Timestamp::as_millis))
    .bind(reversal.service_status.map(i64::from))
    .bind(&reversal.detail)
    .bind(release.map(|release| release.by.as_str()))
    .bind(release.map(|release| release.at.as_millis()))
    .bind(release.map(|release| release.reason.as_str()))
    .bind(reversal.cause.map(EndCause::as_str))
    .execute(connection)
    .await?;
    Ok(())
}

/// The operations with reversals that have been on their way for too long.
pub(super) async fn with_sending(
    connection: &mut Connection,
    begun_before: Timestamp,
) -> Result<Vec<OperationKey>, DbError> {
    let rows = sqlx::query(
        "SELECT DISTINCT merchant_code, merchant_operation_number FROM reversals
         WHERE state = 'sending' AND begun_at < $1",
    )
    .bind(begun_before.as_millis())
    .fetch_all(connection)
    .await?;
    rows.iter().map(key).collect()
}
