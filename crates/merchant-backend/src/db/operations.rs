//! `operations`: the attempts to pay, one row each.

use super::async_commit::Turn;
use super::columns::{amount, flag, instant, key, number, optional_instant};
use super::connections::Db;
use super::due::{self, Due, planned_at};
use super::engine::{Connection, ROW_ID, Row};
use super::error::DbError;
use super::lock::Lock;
use crate::clock::Moment;
use payment_model::{Outcome, PaymentMethodName, Timestamp};
use payment_rules::operation::{
    Contradiction, Difference, OperationKey, OperationRecord, Phase, Unanswered,
};
use payment_rules::order::FullOrderId;
use payment_rules::payment::EXCEPTIONS_VERSION;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

impl Db {
    pub(crate) async fn operation(
        &self,
        key: &OperationKey,
    ) -> Result<Option<OperationRecord>, DbError> {
        find(&mut self.reader().await?, key).await
    }

    /// The operations of an order, oldest first.
    pub(crate) async fn operations_of(
        &self,
        order: &FullOrderId,
    ) -> Result<Vec<OperationRecord>, DbError> {
        of_order(&mut self.reader().await?, order).await
    }

    /// The merchant codes of all operations. It leaps from code to code in the index of the keys,
    /// and reads no other row.
    pub(crate) async fn merchant_codes(&self) -> Result<Vec<String>, DbError> {
        let codes = sqlx::query_scalar(
            "WITH RECURSIVE codes (code) AS (
                 SELECT min(merchant_code) FROM operations
                 UNION ALL
                 SELECT (SELECT min(merchant_code) FROM operations WHERE merchant_code > code)
                     FROM codes WHERE code IS NOT NULL)
             SELECT code FROM codes WHERE code IS NOT NULL",
        )
        .fetch_all(&mut self.reader().await?)
        .await?;
        Ok(codes)
    }

    /// The operation whose callback URL holds the token with this hash.
    pub(crate) async fn operation_by_callback(
        &self,
        hash: &str,
    ) -> Result<Option<OperationKey>, DbError> {
        let row = sqlx::query(
            "SELECT merchant_code, merchant_operation_number FROM operations
             WHERE callback_hash = $1",
        )
        .bind(hash)
        .fetch_optional(&mut self.reader().await?)
        .await?;
        row.as_ref().map(key).transpose()
    }

    /// Takes the turn to ask the service about an operation, if the last turn is long enough ago.
    pub(crate) async fn take_turn(
        &self,
        key: &OperationKey,
        now: Timestamp,
        interval: Duration,
    ) -> Result<Turn, DbError> {
        let mut transaction = self.write_async_commit(Lock::Operation(key)).await?;
        let turn = transaction.take_turn(key, now, interval).await?;
        transaction.commit().await?;
        Ok(turn)
    }

    /// Notes that a notification of an operation came, for all processes that share the database.
    pub(crate) async fn note_hint(
        &self,
        key: &OperationKey,
        now: Timestamp,
    ) -> Result<(), DbError> {
        let mut transaction = self.write_async_commit(Lock::Operation(key)).await?;
        transaction.note_hint(key, now).await?;
        transaction.commit().await
    }

    /// Takes due operations under a lease.
    pub(crate) async fn take_due(
        &self,
        at: Moment,
        lease: Duration,
        limit: u32,
    ) -> Result<Vec<OperationRecord>, DbError> {
        let mut transaction = self.write_async_commit(Lock::None).await?;
        let rows = transaction.take_due(Due::Operations, COLUMNS, at, lease, limit);
        let rows = rows.await?;
        transaction.commit().await?;
        Ok(due::readable(&rows, read))
    }

    /// When the next operation is due, by the wall clock.
    pub(crate) async fn next_due(&self, at: Moment) -> Result<Option<Timestamp>, DbError> {
        due::next(&mut self.reader().await?, Due::Operations, at).await
    }
}

/// See [`Db::operations_of`].
pub(super) async fn of_order(
    connection: &mut Connection,
    order: &FullOrderId,
) -> Result<Vec<OperationRecord>, DbError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM operations WHERE order_id = $1 AND merchant_code = $2
         ORDER BY created_at, {ROW_ID}"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(&order.order_id)
        .bind(&order.merchant_code)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

pub(super) async fn find(
    connection: &mut Connection,
    key: &OperationKey,
) -> Result<Option<OperationRecord>, DbError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM operations
         WHERE merchant_code = $1 AND merchant_operation_number = $2"
    );
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// The operations whose request left before an instant and was not answered.
pub(super) async fn with_sending(
    connection: &mut Connection,
    sent_before: Timestamp,
) -> Result<Vec<OperationKey>, DbError> {
    let rows = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM operations
         WHERE phase = 'sending' AND created_at < $1",
    )
    .bind(sent_before.as_millis())
    .fetch_all(connection)
    .await?;
    rows.iter().map(key).collect()
}

/// The columns that [`read`] reads. They are named, as in every statement: PostgreSQL runs none of a
/// connection again whose columns became others, and a newer version may add one at any time.
pub(super) const COLUMNS: &str = "merchant_code, merchant_operation_number, order_id, phase, live,
    method_name, amount, currency, callback_hash, created_at, changed_at, queried_at, hinted_at,
    due_at, failures, operation, answer, paid_late_at, mismatch, mismatch_at, excess, excess_at, trouble, blocked_since,
    reversal_seen_at, number_taken_at, announced_at, contradiction, contradicted_at, paid_again_at,
    unanswered_since, unanswered_reason, watch_ended_at, code_may_be_out, attempt_hash, unsent,
    unknown_at, version";

pub(super) fn read(row: &Row) -> Result<OperationRecord, DbError> {
    let phase: String = row.try_get("phase")?;
    let method: String = row.try_get("method_name")?;
    Ok(OperationRecord {
        key: key(row)?,
        order_id: row.try_get("order_id")?,
        phase: Phase::from_word(&phase)
            .ok_or_else(|| DbError::Failed(format!("unknown phase {phase:?}")))?,
        live: flag(row, "live")?,
        method: PaymentMethodName::from(method.as_str()),
        amount: amount(row)?,
        currency: row.try_get("currency")?,
        callback_hash: row.try_get("callback_hash")?,
        created_at: instant(row, "created_at")?,
        changed_at: instant(row, "changed_at")?,
        queried_at: optional_instant(row, "queried_at")?,
        hinted_at: optional_instant(row, "hinted_at")?,
        due_at: optional_instant(row, "due_at")?,
        failures: number(row, "failures")?,
        operation: from_json(row, "operation")?,
        answer: from_json(row, "answer")?,
        paid_late_at: optional_instant(row, "paid_late_at")?,
        answer_mismatch: difference(row, "mismatch", "mismatch_at")?,
        excess: difference(row, "excess", "excess_at")?,
        failure_note: row.try_get("trouble")?,
        blocked_since: optional_instant(row, "blocked_since")?,
        reversal_seen_at: optional_instant(row, "reversal_seen_at")?,
        number_taken_at: optional_instant(row, "number_taken_at")?,
        announced_at: optional_instant(row, "announced_at")?,
        contradiction: contradiction(row)?,
        paid_again_at: optional_instant(row, "paid_again_at")?,
        unanswered: unanswered(row)?,
        watch_ended_at: optional_instant(row, "watch_ended_at")?,
        code_may_be_out: flag(row, "code_may_be_out")?,
        attempt_hash: row.try_get("attempt_hash")?,
        unsent: flag(row, "unsent")?,
        unknown_at: optional_instant(row, "unknown_at")?,
        version: number(row, "version")?,
    })
}

fn difference(row: &Row, detail: &str, at: &str) -> Result<Option<Difference>, DbError> {
    let at = optional_instant(row, at)?;
    let detail: Option<String> = row.try_get(detail)?;
    Ok(at.zip(detail).map(|(at, detail)| Difference { at, detail }))
}

fn contradiction(row: &Row) -> Result<Option<Contradiction>, DbError> {
    let at = optional_instant(row, "contradicted_at")?;
    let detail: Option<String> = row.try_get("contradiction")?;
    Ok(at
        .zip(detail)
        .map(|(at, detail)| Contradiction { at, detail }))
}

fn unanswered(row: &Row) -> Result<Option<Unanswered>, DbError> {
    let since = optional_instant(row, "unanswered_since")?;
    let reason: Option<String> = row.try_get("unanswered_reason")?;
    Ok(since
        .zip(reason)
        .map(|(since, reason)| Unanswered { since, reason }))
}

/// Adds a record as a new row, or over one whose request never left; `false` when its number is
/// taken.
pub(super) async fn add(
    connection: &mut Connection,
    record: &OperationRecord,
) -> Result<bool, DbError> {
    let existing = format!(
        "{OVER}, callback_hash = excluded.callback_hash, created_at = excluded.created_at,
             method_name = excluded.method_name, amount = excluded.amount,
             currency = excluded.currency, attempt_hash = excluded.attempt_hash
         WHERE operations.unsent = 1 AND operations.phase = 'refused'
             AND operations.transaction_id IS NULL AND operations.order_id = excluded.order_id"
    );
    let rows = insert(connection, record, &existing).await?;
    Ok(rows > 0)
}

/// Writes a record over its row.
pub(super) async fn write(
    connection: &mut Connection,
    record: &OperationRecord,
) -> Result<(), DbError> {
    insert(connection, record, OVER).await.map(drop)
}

/// Everything of a row that changes.
const OVER: &str = "DO UPDATE SET
             phase = excluded.phase, live = excluded.live, changed_at = excluded.changed_at,
             queried_at = excluded.queried_at, hinted_at = excluded.hinted_at,
             due_at = excluded.due_at,
             failures = excluded.failures, transaction_id = excluded.transaction_id,
             state = excluded.state, outcome = excluded.outcome, operation = excluded.operation,
             answer = excluded.answer, mismatch = excluded.mismatch, trouble = excluded.trouble,
             qr_id = excluded.qr_id, cip = excluded.cip, paid_late_at = excluded.paid_late_at,
             blocked_since = excluded.blocked_since,
             reversal_seen_at = excluded.reversal_seen_at,
             number_taken_at = excluded.number_taken_at,
             announced_at = excluded.announced_at, contradiction = excluded.contradiction,
             contradicted_at = excluded.contradicted_at, paid_again_at = excluded.paid_again_at,
             unanswered_since = excluded.unanswered_since,
             unanswered_reason = excluded.unanswered_reason,
             watch_ended_at = excluded.watch_ended_at,
             code_may_be_out = excluded.code_may_be_out, unsent = excluded.unsent,
             unknown_at = excluded.unknown_at, version = operations.version + 1,
             mismatch_at = excluded.mismatch_at, excess = excluded.excess,
             excess_at = excluded.excess_at,
             -- Another plan ends the lease; the same one is as old as it was.
             planned_at = CASE WHEN operations.due_at IS NOT DISTINCT FROM excluded.due_at
                 THEN operations.planned_at ELSE excluded.planned_at END,
             leased_until = CASE WHEN operations.due_at IS NOT DISTINCT FROM excluded.due_at
                 THEN operations.leased_until END";

async fn insert(
    connection: &mut Connection,
    record: &OperationRecord,
    existing: &str,
) -> Result<u64, DbError> {
    let sql = format!(
        "INSERT INTO operations (merchant_code, merchant_operation_number, order_id, phase, live,
             method_name, amount, currency, callback_hash, created_at, changed_at, queried_at,
             due_at, failures, transaction_id, state, outcome, operation, answer, mismatch, trouble,
             qr_id, cip, paid_late_at, blocked_since, reversal_seen_at, number_taken_at, planned_at,
             hinted_at, announced_at, contradiction, contradicted_at, paid_again_at,
             unanswered_since, code_may_be_out, attempt_hash, unsent, unknown_at, mismatch_at,
             unanswered_reason, watch_ended_at, exceptions_version, excess, excess_at, order_label)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44,
             (SELECT label FROM orders WHERE order_id = $3 AND merchant_code = $1))
         ON CONFLICT (merchant_code, merchant_operation_number) {existing}"
    );
    let contradiction = record.contradiction.as_ref();
    let unanswered = record.unanswered.as_ref();
    let mismatch = record.answer_mismatch.as_ref();
    let excess = record.excess.as_ref();
    let written = sqlx::query(AssertSqlSafe(sql))
        .bind(record.key.merchant_code.as_str())
        .bind(record.key.number.as_str())
        .bind(&record.order_id)
        .bind(record.phase.as_str())
        .bind(i64::from(record.live))
        .bind(record.method.as_str())
        .bind(record.amount.cast_signed())
        .bind(&record.currency)
        .bind(&record.callback_hash)
        .bind(record.created_at.as_millis())
        .bind(record.changed_at.as_millis())
        .bind(record.queried_at.map(Timestamp::as_millis))
        .bind(record.due_at.map(Timestamp::as_millis))
        .bind(i64::from(record.failures))
        .bind(record.transaction_id().map(|id| id.as_str()))
        .bind(record.state().map(|state| state.as_str()))
        .bind(record.outcome().map(Outcome::as_str))
        .bind(to_json(record.operation.as_ref())?)
        .bind(to_json(record.answer.as_ref())?)
        .bind(mismatch.map(|one| one.detail.as_str()))
        .bind(&record.failure_note)
        .bind(record.payers_number("qr_id"))
        .bind(record.payers_number("cip"))
        .bind(record.paid_late_at.map(Timestamp::as_millis))
        .bind(record.blocked_since.map(Timestamp::as_millis))
        .bind(record.reversal_seen_at.map(Timestamp::as_millis))
        .bind(record.number_taken_at.map(Timestamp::as_millis))
        .bind(planned_at(record.due_at).map(Timestamp::as_millis))
        .bind(record.hinted_at.map(Timestamp::as_millis))
        .bind(record.announced_at.map(Timestamp::as_millis))
        .bind(contradiction.map(|one| one.detail.as_str()))
        .bind(contradiction.map(|one| one.at.as_millis()))
        .bind(record.paid_again_at.map(Timestamp::as_millis))
        .bind(unanswered.map(|one| one.since.as_millis()))
        .bind(i64::from(record.code_may_be_out))
        .bind(&record.attempt_hash)
        .bind(i64::from(record.unsent))
        .bind(record.unknown_at.map(Timestamp::as_millis))
        .bind(mismatch.map(|one| one.at.as_millis()))
        .bind(unanswered.map(|one| one.reason.as_str()))
        .bind(record.watch_ended_at.map(Timestamp::as_millis))
        .bind(i64::from(EXCEPTIONS_VERSION))
        .bind(excess.map(|one| one.detail.as_str()))
        .bind(excess.map(|one| one.at.as_millis()))
        .execute(connection)
        .await?;
    Ok(written.rows_affected())
}

fn to_json<T: Serialize>(value: Option<&T>) -> Result<Option<String>, DbError> {
    Ok(value.map(serde_json::to_string).transpose()?)
}

fn from_json<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>, DbError> {
    let text: Option<String> = row.try_get(column)?;
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}
