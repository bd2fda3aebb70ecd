//! `refund_attempts`: requests for refunds. Each is sent at most once.

use super::columns::{
    self, Columns, amount, asker, flag, instant, key, number, optional_instant, release,
};
use super::connections::Db;
use super::engine::{Connection, Engine};
use super::error::DbError;
use crate::clock::moment;
use payment_model::{RefundId, RefundType, Timestamp};
use payment_rules::ledger::{Asker, AttemptRecord, Ledger};
use payment_rules::operation::OperationKey;
use sqlx::AssertSqlSafe;
use staff_model::AttemptState;

impl Db {
    /// The operation that an attempt belongs to.
    pub(crate) async fn operation_of_attempt(
        &self,
        attempt_id: &str,
    ) -> Result<Option<OperationKey>, DbError> {
        let mut reader = self.reader().await?;
        columns::operation_with(&mut reader, "refund_attempts", "attempt_id", attempt_id).await
    }

    /// The operations for which attempts were made under a key, in no order.
    pub(crate) async fn operations_of_key(
        &self,
        asker: &Asker,
    ) -> Result<Vec<OperationKey>, DbError> {
        let rows = sqlx::query(
            "SELECT DISTINCT merchant_code, merchant_operation_number FROM refund_attempts
             WHERE staff = $1 AND idempotency_key = $2",
        )
        .bind(&asker.staff)
        .bind(asker.key.as_str())
        .fetch_all(&mut *self.reader().await?)
        .await?;
        rows.iter().map(key).collect()
    }
}

/// The columns that [`read`] reads.
pub(super) const COLUMNS: &str =
    "attempt_id, type, amount, staff, idempotency_key, item, requested_at,
    changed_at, state, undecided, begun_at, refund_id, detail, messages, released_by, released_at,
    release_reason";

pub(super) fn read(row: &impl Columns) -> Result<AttemptRecord, DbError> {
    let state = row.text("state")?;
    let kind = row.text("type")?;
    let refund_id = row.optional_text("refund_id")?;
    Ok(AttemptRecord {
        id: row.text("attempt_id")?,
        kind: RefundType::from(kind.as_str()),
        amount: amount(row)?,
        asker: asker(row)?,
        item: number(row, "item")?,
        requested_at: instant(row, "requested_at")?,
        changed_at: instant(row, "changed_at")?,
        state: AttemptState::from_word(&state)
            .ok_or_else(|| DbError::missing(format!("a known state instead of {state:?}")))?,
        not_processed: flag(row, "undecided")?,
        begun_at: optional_instant(row, "begun_at")?,
        refund_id: refund_id.map(RefundId::new),
        detail: row.text("detail")?,
        messages: serde_json::from_str(&row.text("messages")?)?,
        release: release(row)?,
    })
}

/// The operations with attempts that have been on their way for too long.
pub(super) async fn with_sending(
    connection: &mut Connection,
    begun_before: Timestamp,
    asked_before: Timestamp,
) -> Result<Vec<OperationKey>, DbError> {
    let steady = Engine::of(connection).steady(3);
    let rows = sqlx::query(AssertSqlSafe(format!(
        "SELECT DISTINCT a.merchant_code, a.merchant_operation_number FROM refund_attempts a
         WHERE a.state = 'sending' AND (a.begun_at < $1 OR (a.begun_at IS NULL
             AND a.requested_at < $2 AND NOT EXISTS (SELECT 1 FROM idempotency_keys k
                 WHERE k.sender_kind = 'staff' AND k.sender = a.staff
                     AND k.key = a.idempotency_key AND k.running_until > {steady})))"
    )))
    .bind(begun_before.as_millis())
    .bind(asked_before.as_millis())
    .bind(moment().steady.as_millis())
    .fetch_all(connection)
    .await?;
    rows.iter().map(key).collect()
}

/// Writes an attempt over its row, or as a new one.
pub(super) async fn save(
    connection: &mut Connection,
    ledger: &Ledger,
    attempt: &AttemptRecord,
) -> Result<(), DbError> {
    let release = attempt.release.as_ref();
    sqlx::query(
        "INSERT INTO refund_attempts (attempt_id, merchant_code, merchant_operation_number,
             transaction_id, type, amount, currency, staff, idempotency_key, item, requested_at,
             changed_at, state, begun_at, refund_id, detail, messages, released_by, released_at,
             release_reason, undecided)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
         ON CONFLICT (attempt_id) DO UPDATE SET changed_at = excluded.changed_at,
             state = excluded.state, begun_at = excluded.begun_at,
             refund_id = excluded.refund_id, detail = excluded.detail,
             messages = excluded.messages, released_by = excluded.released_by,
             released_at = excluded.released_at, release_reason = excluded.release_reason,
             undecided = excluded.undecided",
    )
    .bind(&attempt.id)
    .bind(ledger.key.merchant_code.as_str())
    .bind(ledger.key.number.as_str())
    .bind(ledger.transaction_id.as_ref().map(|id| id.as_str()))
    .bind(attempt.kind.as_str())
    .bind(attempt.amount.cast_signed())
    .bind(&ledger.currency)
    .bind(&attempt.asker.staff)
    .bind(attempt.asker.key.as_str())
    .bind(i64::from(attempt.item))
    .bind(attempt.requested_at.as_millis())
    .bind(attempt.changed_at.as_millis())
    .bind(attempt.state.as_str())
    .bind(attempt.begun_at.map(Timestamp::as_millis))
    .bind(attempt.refund_id.as_ref().map(|id| id.as_str()))
    .bind(&attempt.detail)
    .bind(serde_json::to_string(&attempt.messages)?)
    .bind(release.map(|release| release.by.as_str()))
    .bind(release.map(|release| release.at.as_millis()))
    .bind(release.map(|release| release.reason.as_str()))
    .bind(i64::from(attempt.not_processed))
    .execute(connection)
    .await?;
    Ok(())
}
