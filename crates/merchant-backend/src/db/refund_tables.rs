//! `refund_attempts`, `refunds` and `refund_watches`: the requests for refunds, each sent at most once; the
//! refunds that the payment service reported; and when the refunds of an operation are queried again.

use super::async_commit::Turn;
use super::columns::{
    self, Columns, KEY, amount, asker, flag, instant, key, number, optional_instant, release,
};
use super::connections::Db;
use super::due::{self, Due, planned_at};
use super::engine::{Connection, Engine};
use super::error::DbError;
use super::lock::Lock;
use crate::clock::{Moment, moment};
use payment_model::{RefundId, RefundType, Timestamp};
use payment_rules::ledger::{Asker, AttemptRecord, DeniedRefund, Ledger, RefundRecord, Watch};
use payment_rules::operation::OperationKey;
use sqlx::AssertSqlSafe;
use staff_model::AttemptState;
use std::time::Duration;

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
    pub(crate) async fn operations_of_request(
        &self,
        asker: &Asker,
    ) -> Result<Vec<OperationKey>, DbError> {
        let rows = sqlx::query(
            "SELECT DISTINCT merchant_code, merchant_operation_number FROM refund_attempts
             WHERE staff = $1 AND idempotency_key = $2",
        )
        .bind(&asker.staff)
        .bind(asker.key.as_str())
        .fetch_all(&mut self.reader().await?)
        .await?;
        rows.iter().map(key).collect()
    }
}

/// The columns that [`read_attempt`] reads.
pub(super) const ATTEMPT_COLUMNS: &str =
    "attempt_id, type, amount, staff, idempotency_key, item, requested_at,
    changed_at, state, undecided, begun_at, refund_id, detail, messages, released_by, released_at,
    release_reason, release_asked_by";

pub(super) fn read_attempt(row: &impl Columns) -> Result<AttemptRecord, DbError> {
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
        release_asked_by: row.optional_text("release_asked_by")?,
    })
}

/// The operations with attempts that have been on their way for too long.
pub(super) async fn with_sending_attempts(
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
pub(super) async fn save_attempt(
    connection: &mut Connection,
    ledger: &Ledger,
    attempt: &AttemptRecord,
) -> Result<(), DbError> {
    let release = attempt.release.as_ref();
    sqlx::query(
        "INSERT INTO refund_attempts (attempt_id, merchant_code, merchant_operation_number,
             transaction_id, type, amount, currency, staff, idempotency_key, item, requested_at,
             changed_at, state, begun_at, refund_id, detail, messages, released_by, released_at,
             release_reason, undecided, release_asked_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
         ON CONFLICT (attempt_id) DO UPDATE SET changed_at = excluded.changed_at,
             state = excluded.state, begun_at = excluded.begun_at,
             refund_id = excluded.refund_id, detail = excluded.detail,
             messages = excluded.messages, released_by = excluded.released_by,
             released_at = excluded.released_at, release_reason = excluded.release_reason,
             undecided = excluded.undecided, release_asked_by = excluded.release_asked_by",
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
    .bind(&attempt.release_asked_by)
    .execute(connection)
    .await?;
    Ok(())
}

/// The columns that [`read_refund`] reads.
pub(super) const REFUND_COLUMNS: &str = "refund, amount, counts, attempt_id, changed_at,
    denied_since, denied_at";

pub(super) fn read_refund(row: &impl Columns) -> Result<RefundRecord, DbError> {
    let cents = row.optional_integer("amount")?;
    Ok(RefundRecord {
        refund: serde_json::from_str(&row.text("refund")?)?,
        cents: cents.map(i64::cast_unsigned),
        counts: flag(row, "counts")?,
        attempt_id: row.optional_text("attempt_id")?,
        changed_at: instant(row, "changed_at")?,
        denied: denied(row)?,
    })
}

fn denied(row: &impl Columns) -> Result<Option<DeniedRefund>, DbError> {
    let Some(since) = optional_instant(row, "denied_since")? else {
        return Ok(None);
    };
    let confirmed_at = optional_instant(row, "denied_at")?;
    Ok(Some(DeniedRefund {
        since,
        confirmed_at,
    }))
}

/// Writes a refund over its row, or as a new one.
pub(super) async fn save_refund(
    connection: &mut Connection,
    key: &OperationKey,
    record: &RefundRecord,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO refunds (merchant_code, merchant_operation_number, refund_id, attempt_id,
             state, amount, counts, changed_at, refund, denied_since, denied_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (merchant_code, merchant_operation_number, refund_id) DO UPDATE SET
             attempt_id = excluded.attempt_id, state = excluded.state, amount = excluded.amount,
             counts = excluded.counts, changed_at = excluded.changed_at, refund = excluded.refund,
             denied_since = excluded.denied_since, denied_at = excluded.denied_at",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(record.refund.refund_id.as_str())
    .bind(&record.attempt_id)
    .bind(record.refund.state.as_str())
    .bind(record.cents.map(u64::cast_signed))
    .bind(i64::from(record.counts))
    .bind(record.changed_at.as_millis())
    .bind(serde_json::to_string(&record.refund)?)
    .bind(record.denied.map(|denied| denied.since.as_millis()))
    .bind(
        record
            .denied
            .and_then(|denied| denied.confirmed_at)
            .map(Timestamp::as_millis),
    )
    .execute(connection)
    .await?;
    Ok(())
}

impl Db {
    /// Takes the turn to look an operation's refunds up, if the last turn is long enough ago.
    pub(crate) async fn take_refund_query_turn(
        &self,
        key: &OperationKey,
        now: Timestamp,
        interval: Duration,
    ) -> Result<Turn, DbError> {
        let mut transaction = self.write_async_commit(Lock::Operation(key)).await?;
        let turn = transaction
            .take_refund_query_turn(key, now, interval)
            .await?;
        transaction.commit().await?;
        Ok(turn)
    }

    /// Takes operations with a due look-up of refunds under a lease.
    pub(crate) async fn take_due_refunds(
        &self,
        at: Moment,
        lease: Duration,
        limit: u32,
    ) -> Result<Vec<OperationKey>, DbError> {
        let mut transaction = self.write_async_commit(Lock::None).await?;
        let rows = transaction.take_due(Due::RefundWatches, KEY, at, lease, limit);
        let rows = rows.await?;
        transaction.commit().await?;
        Ok(due::readable(&rows, key))
    }

    /// When the next look-up is due, by the wall clock.
    pub(crate) async fn next_due_refunds(&self, at: Moment) -> Result<Option<Timestamp>, DbError> {
        due::next(&mut self.reader().await?, Due::RefundWatches, at).await
    }
}

/// The columns that [`read_watch`] reads.
pub(super) const WATCH_COLUMNS: &str = "due_at, failures, whole_at";

pub(super) fn read_watch(row: &impl Columns) -> Result<Watch, DbError> {
    Ok(Watch {
        due_at: optional_instant(row, "due_at")?,
        failures: number(row, "failures")?,
        complete_at: optional_instant(row, "whole_at")?,
    })
}

/// Writes a watch over its row, or as a new one. A new plan ends the lease; an unchanged one keeps
/// its age.
pub(super) async fn save_watch(
    connection: &mut Connection,
    key: &OperationKey,
    watch: &Watch,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO refund_watches (merchant_code, merchant_operation_number, due_at, failures,
             whole_at, planned_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (merchant_code, merchant_operation_number) DO UPDATE SET
             due_at = excluded.due_at, failures = excluded.failures,
             whole_at = excluded.whole_at,
             planned_at = CASE WHEN refund_watches.due_at IS NOT DISTINCT FROM excluded.due_at
                 THEN refund_watches.planned_at ELSE excluded.planned_at END,
             leased_until = CASE WHEN refund_watches.due_at IS NOT DISTINCT FROM excluded.due_at
                 THEN refund_watches.leased_until END",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(watch.due_at.map(Timestamp::as_millis))
    .bind(i64::from(watch.failures))
    .bind(watch.complete_at.map(Timestamp::as_millis))
    .bind(planned_at(watch.due_at).map(Timestamp::as_millis))
    .execute(connection)
    .await?;
    Ok(())
}
