//! `refunds`: refunds of the service's last answer, of this server and of others.

use super::columns::{Columns, flag, instant};
use super::engine::Connection;
use super::error::DbError;
use payment_rules::ledger::RefundRecord;
use payment_rules::operation::OperationKey;

/// The columns that [`read`] reads.
pub(super) const COLUMNS: &str = "refund, amount, counts, attempt_id, changed_at";

pub(super) fn read(row: &impl Columns) -> Result<RefundRecord, DbError> {
    let cents = row.optional_integer("amount")?;
    Ok(RefundRecord {
        refund: serde_json::from_str(&row.text("refund")?)?,
        cents: cents.map(i64::cast_unsigned),
        counts: flag(row, "counts")?,
        attempt_id: row.optional_text("attempt_id")?,
        changed_at: instant(row, "changed_at")?,
    })
}

/// Writes a refund over its row, or as a new one.
pub(super) async fn save(
    connection: &mut Connection,
    key: &OperationKey,
    record: &RefundRecord,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO refunds (merchant_code, merchant_operation_number, refund_id, attempt_id,
             state, amount, counts, changed_at, refund)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
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
    .bind(i64::from(record.counts))
    .bind(record.changed_at.as_millis())
    .bind(serde_json::to_string(&record.refund)?)
    .execute(connection)
    .await?;
    Ok(())
}
