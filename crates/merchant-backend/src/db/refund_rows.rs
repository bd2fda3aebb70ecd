//! A ledger as rows.

use super::due::planned_at;
use super::row_parts::{asker, release};
use super::{DbError, excesses, operations, orders, return_rows, reversal_rows};
use crate::domain::forget::forgotten;
use crate::domain::ledger::{AttemptRecord, Ledger, RefundRecord, Watch};
use crate::domain::operation::{OperationKey, OperationRecord};
use payment_model::{RefundId, RefundType};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use staff_model::AttemptState;

/// Reads everything about one operation.
pub(super) async fn load(
    connection: &mut SqliteConnection,
    key: &OperationKey,
) -> Result<Option<Ledger>, DbError> {
    let Some(operation) = operations::find(&mut *connection, key).await? else {
        return Ok(None);
    };
    let rows = async |connection: &mut SqliteConnection, sql: &'static str| {
        sqlx::query(sql)
            .bind(key.merchant_code.as_str())
            .bind(key.number.as_str())
            .fetch_all(connection)
            .await
    };
    let attempts = rows(
        &mut *connection,
        "SELECT * FROM refund_attempts WHERE merchant_code = ? AND merchant_operation_number = ?
         ORDER BY requested_at, rowid",
    )
    .await?;
    let refunds = rows(
        &mut *connection,
        "SELECT * FROM refunds WHERE merchant_code = ? AND merchant_operation_number = ?
         ORDER BY rowid",
    )
    .await?;
    let returns = rows(&mut *connection, return_rows::OF_OPERATION).await?;
    let reversals = rows(&mut *connection, reversal_rows::OF_OPERATION).await?;
    let watch = rows(
        &mut *connection,
        "SELECT * FROM refund_watches WHERE merchant_code = ? AND merchant_operation_number = ?",
    )
    .await?;
    Ok(Some(Ledger {
        transaction_id: operation.transaction_id().cloned(),
        state: operation.state().cloned(),
        outcome: operation.outcome(),
        method: operation.method,
        amount: operation.amount,
        currency: operation.currency,
        key: operation.key,
        attempts: attempts.iter().map(attempt).collect::<Result<_, _>>()?,
        refunds: refunds.iter().map(refund).collect::<Result<_, _>>()?,
        returns: returns
            .iter()
            .map(return_rows::read)
            .collect::<Result<_, _>>()?,
        reversals: reversals
            .iter()
            .map(reversal_rows::read)
            .collect::<Result<_, _>>()?,
        watch: match watch.first() {
            Some(row) => Watch {
                due_at: row.try_get("due_at")?,
                failures: row.try_get("failures")?,
                whole_at: row.try_get("whole_at")?,
            },
            None => Watch::default(),
        },
    }))
}

fn attempt(row: &SqliteRow) -> Result<AttemptRecord, DbError> {
    let state: String = row.try_get("state")?;
    let kind: String = row.try_get("type")?;
    let refund_id: Option<String> = row.try_get("refund_id")?;
    Ok(AttemptRecord {
        id: row.try_get("attempt_id")?,
        kind: RefundType::from(kind.as_str()),
        amount: row.try_get::<i64, _>("amount")?.cast_unsigned(),
        asker: asker(row)?,
        item: row.try_get("item")?,
        requested_at: row.try_get("requested_at")?,
        changed_at: row.try_get("changed_at")?,
        state: AttemptState::from_word(&state)
            .ok_or_else(|| DbError::missing(format!("a known state instead of {state:?}")))?,
        undecided: row.try_get("undecided")?,
        begun_at: row.try_get("begun_at")?,
        refund_id: refund_id.map(RefundId::new),
        detail: row.try_get("detail")?,
        messages: serde_json::from_str(&row.try_get::<String, _>("messages")?)?,
        release: release(row)?,
    })
}

fn refund(row: &SqliteRow) -> Result<RefundRecord, DbError> {
    let cents: Option<i64> = row.try_get("amount")?;
    Ok(RefundRecord {
        refund: serde_json::from_str(&row.try_get::<String, _>("refund")?)?,
        cents: cents.map(i64::cast_unsigned),
        counts: row.try_get("counts")?,
        attempt_id: row.try_get("attempt_id")?,
        changed_at: row.try_get("changed_at")?,
    })
}

/// Lets the ledger follow its operation, whose state was written in the same transaction: what
/// is cancelled or reversed ends the request for it, and what was given back may be too much.
pub(super) async fn follow(
    connection: &mut SqliteConnection,
    record: &OperationRecord,
    was_paid: bool,
) -> Result<(), DbError> {
    reversal_rows::follow(connection, record).await?;
    if was_paid != record.is_paid()
        && let Some(ledger) = load(connection, &record.key).await?
    {
        excesses::follow(connection, &ledger).await?;
    }
    Ok(())
}

/// Writes a ledger over its rows; what is new in it becomes new rows.
pub(super) async fn save(
    connection: &mut SqliteConnection,
    ledger: &Ledger,
) -> Result<(), DbError> {
    for attempt in &ledger.attempts {
        save_attempt(connection, ledger, attempt).await?;
    }
    // The service tells of its payer again when it is asked again.
    let operation = operations::find(&mut *connection, &ledger.key).await?;
    let purged = match operation {
        Some(operation) => orders::is_purged(&mut *connection, &operation.order_id).await?,
        None => false,
    };
    for record in &ledger.refunds {
        if purged {
            let refund = forgotten(&record.refund)?;
            let record = RefundRecord {
                refund,
                ..record.clone()
            };
            save_refund(connection, &ledger.key, &record).await?;
        } else {
            save_refund(connection, &ledger.key, record).await?;
        }
    }
    for returned in &ledger.returns {
        return_rows::save(connection, &ledger.key, returned).await?;
    }
    for reversal in &ledger.reversals {
        reversal_rows::save(connection, &ledger.key, reversal).await?;
    }
    excesses::follow(connection, ledger).await?;
    sqlx::query(
        "INSERT INTO refund_watches (merchant_code, merchant_operation_number, due_at, failures, whole_at,
             planned_at)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET due_at = excluded.due_at, failures = excluded.failures,
             whole_at = excluded.whole_at,
             planned_at = iif(due_at IS excluded.due_at, planned_at, excluded.planned_at),
             leased_until = iif(due_at IS excluded.due_at, leased_until, NULL)",
    )
    .bind(ledger.key.merchant_code.as_str())
    .bind(ledger.key.number.as_str())
    .bind(ledger.watch.due_at)
    .bind(ledger.watch.failures)
    .bind(ledger.watch.whole_at)
    .bind(planned_at(ledger.watch.due_at))
    .execute(connection)
    .await?;
    Ok(())
}

async fn save_attempt(
    connection: &mut SqliteConnection,
    ledger: &Ledger,
    attempt: &AttemptRecord,
) -> Result<(), DbError> {
    let release = attempt.release.as_ref();
    sqlx::query(
        "INSERT INTO refund_attempts (attempt_id, merchant_code, merchant_operation_number,
             transaction_id, type, amount, currency, staff, idempotency_key, item, requested_at,
             changed_at, state, begun_at, refund_id, detail, messages, released_by, released_at,
             release_reason, undecided)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
    .bind(&attempt.asker.key)
    .bind(attempt.item)
    .bind(attempt.requested_at)
    .bind(attempt.changed_at)
    .bind(attempt.state.as_str())
    .bind(attempt.begun_at)
    .bind(attempt.refund_id.as_ref().map(|id| id.as_str()))
    .bind(&attempt.detail)
    .bind(serde_json::to_string(&attempt.messages)?)
    .bind(release.map(|release| release.by.as_str()))
    .bind(release.map(|release| release.at))
    .bind(release.map(|release| release.reason.as_str()))
    .bind(attempt.undecided)
    .execute(connection)
    .await?;
    Ok(())
}

async fn save_refund(
    connection: &mut SqliteConnection,
    key: &OperationKey,
    record: &RefundRecord,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO refunds (merchant_code, merchant_operation_number, refund_id, attempt_id,
             state, amount, counts, changed_at, refund)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (merchant_code, merchant_operation_number, refund_id) DO UPDATE SET
             attempt_id = excluded.attempt_id, state = excluded.state, amount = excluded.amount,
             counts = excluded.counts, changed_at = excluded.changed_at, refund = excluded.refund",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(record.refund.refund_id.as_str())
    .bind(&record.attempt_id)
    .bind(record.refund.state.as_str())
    .bind(record.cents.map(u64::cast_signed))
    .bind(record.counts)
    .bind(record.changed_at)
    .bind(serde_json::to_string(&record.refund)?)
    .execute(connection)
    .await?;
    Ok(())
}
