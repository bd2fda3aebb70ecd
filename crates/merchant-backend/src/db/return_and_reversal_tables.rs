//! `manual_returns` and `reversals`: money that staff return outside of the payment service, and requests to
//! the service to cancel an operation.

use super::columns::{
    self, Columns, amount, asker, flag, instant, key, optional_instant, optional_number, release,
};
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use payment_model::{IdempotencyKey, Timestamp};
use payment_rules::ledger::{Asker, EndCause, Purpose, ReturnEnd, ReturnRecord, ReversalRecord};
use payment_rules::operation::OperationKey;
use staff_model::{ReturnState, ReversalState};

impl Db {
    /// The operation of the return recorded under a key.
    pub(crate) async fn operation_of_return_key(
        &self,
        asker: &Asker,
    ) -> Result<Option<OperationKey>, DbError> {
        let row = sqlx::query(
            "SELECT merchant_code, merchant_operation_number FROM manual_returns
             WHERE staff = $1 AND idempotency_key = $2",
        )
        .bind(&asker.staff)
        .bind(asker.key.as_str())
        .fetch_optional(&mut self.reader().await?)
        .await?;
        row.as_ref().map(key).transpose()
    }

    /// The operation that a return belongs to.
    pub(crate) async fn operation_of_return(
        &self,
        return_id: &str,
    ) -> Result<Option<OperationKey>, DbError> {
        let mut reader = self.reader().await?;
        columns::operation_with(&mut reader, "manual_returns", "return_id", return_id).await
    }
}

/// The columns that [`read_return`] reads.
pub(super) const RETURN_COLUMNS: &str =
    "return_id, amount, reason, staff, idempotency_key, at, state, already_made,
    give_up_asked_by, give_up_asked_at, give_up_reason, ended_by, ended_at, end_reason";

pub(super) fn read_return(row: &impl Columns) -> Result<ReturnRecord, DbError> {
    let state = row.text("state")?;
    Ok(ReturnRecord {
        id: row.text("return_id")?,
        amount: amount(row)?,
        reason: row.text("reason")?,
        asker: asker(row)?,
        at: instant(row, "at")?,
        state: ReturnState::from_word(&state)
            .ok_or_else(|| DbError::missing(format!("a known state instead of {state:?}")))?,
        already_made: flag(row, "already_made")?,
        give_up_asked: return_end(
            row,
            ["give_up_asked_by", "give_up_asked_at", "give_up_reason"],
        )?,
        end: return_end(row, ["ended_by", "ended_at", "end_reason"])?,
    })
}

fn return_end(
    row: &impl Columns,
    [by, at, reason]: [&str; 3],
) -> Result<Option<ReturnEnd>, DbError> {
    let Some(by) = row.optional_text(by)? else {
        return Ok(None);
    };
    Ok(Some(ReturnEnd {
        by,
        at: instant(row, at)?,
        reason: row.text(reason)?,
    }))
}

/// Writes a return; of an existing one only its end.
pub(super) async fn save_return(
    connection: &mut Connection,
    key: &OperationKey,
    returned: &ReturnRecord,
) -> Result<(), DbError> {
    let (asked, end) = (returned.give_up_asked.as_ref(), returned.end.as_ref());
    sqlx::query(
        "INSERT INTO manual_returns (return_id, merchant_code, merchant_operation_number, amount,
             reason, staff, idempotency_key, at, state, already_made, ended_by, ended_at, end_reason,
             give_up_asked_by, give_up_asked_at, give_up_reason)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         ON CONFLICT (staff, idempotency_key) DO UPDATE SET state = excluded.state,
             ended_by = excluded.ended_by, ended_at = excluded.ended_at,
             end_reason = excluded.end_reason, give_up_asked_by = excluded.give_up_asked_by,
             give_up_asked_at = excluded.give_up_asked_at,
             give_up_reason = excluded.give_up_reason",
    )
    .bind(&returned.id)
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(returned.amount.cast_signed())
    .bind(&returned.reason)
    .bind(&returned.asker.staff)
    .bind(returned.asker.key.as_str())
    .bind(returned.at.as_millis())
    .bind(returned.state.as_str())
    .bind(i64::from(returned.already_made))
    .bind(end.map(|end| end.by.as_str()))
    .bind(end.map(|end| end.at.as_millis()))
    .bind(end.map(|end| end.reason.as_str()))
    .bind(asked.map(|asked| asked.by.as_str()))
    .bind(asked.map(|asked| asked.at.as_millis()))
    .bind(asked.map(|asked| asked.reason.as_str()))
    .execute(connection)
    .await?;
    Ok(())
}

impl Db {
    /// When the request to cancel an operation left that is on its way or in doubt.
    pub(crate) async fn pending_cancellation(
        &self,
        key: &OperationKey,
    ) -> Result<Option<Timestamp>, DbError> {
        pending(&mut self.reader().await?, key).await
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

/// The columns that [`read_reversal`] reads.
pub(super) const REVERSAL_COLUMNS: &str =
    "reversal_id, amount, purpose, staff, idempotency_key, cause, begun_at, changed_at, state,
    lost_until, arrives_until, service_status, detail, released_by, released_at, release_reason,
    release_asked_by";

pub(super) fn read_reversal(row: &impl Columns) -> Result<ReversalRecord, DbError> {
    let state = row.text("state")?;
    let purpose = row.text("purpose")?;
    let cause = row.optional_text("cause")?;
    Ok(ReversalRecord {
        id: row.text("reversal_id")?,
        amount: amount(row)?,
        purpose: Purpose::from_word(&purpose)
            .ok_or_else(|| DbError::missing(format!("a known purpose instead of {purpose:?}")))?,
        staff: row.optional_text("staff")?,
        key: row
            .optional_text("idempotency_key")?
            .and_then(|key| IdempotencyKey::new(key).ok()),
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
        release_asked_by: row.optional_text("release_asked_by")?,
    })
}

/// Writes a request over its row, or as a new one.
pub(super) async fn save_reversal(
    connection: &mut Connection,
    key: &OperationKey,
    reversal: &ReversalRecord,
) -> Result<(), DbError> {
    let release = reversal.release.as_ref();
    sqlx::query(
        "INSERT INTO reversals (reversal_id, merchant_code, merchant_operation_number, amount,
             purpose, staff, begun_at, changed_at, state, lost_until, arrives_until, service_status,
             detail, released_by, released_at, release_reason, cause, idempotency_key,
             release_asked_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
         ON CONFLICT (reversal_id) DO UPDATE SET purpose = excluded.purpose,
             staff = excluded.staff, idempotency_key = excluded.idempotency_key,
             cause = excluded.cause, begun_at = excluded.begun_at,
             changed_at = excluded.changed_at, state = excluded.state,
             lost_until = excluded.lost_until, arrives_until = excluded.arrives_until,
             service_status = excluded.service_status,
             detail = excluded.detail, released_by = excluded.released_by,
             released_at = excluded.released_at, release_reason = excluded.release_reason,
             release_asked_by = excluded.release_asked_by",
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
    .bind(reversal.key.as_ref().map(IdempotencyKey::as_str))
    .bind(&reversal.release_asked_by)
    .execute(connection)
    .await?;
    Ok(())
}

/// The operations with reversals that have been on their way for too long.
pub(super) async fn with_sending_reversals(
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
