//! `refund_watches`: when the service's list of an operation's refunds is queried next, and when it was.

use super::columns::{optional_instant, optional_number};
use super::due::planned_at;
use super::engine::{Connection, Row};
use super::error::DbError;
use payment_model::Timestamp;
use payment_rules::ledger::RefundPollPlan;
use payment_rules::operation::OperationKey;

/// The watch of an operation, for a join with `operations`.
pub(super) const WATCH: &str = "(SELECT merchant_code AS watch_code,
        merchant_operation_number AS watch_number, due_at AS watch_due_at,
        failures AS watch_failures, complete_at AS watch_complete_at
        FROM refund_watches) AS watch
    ON watch_code = merchant_code AND watch_number = merchant_operation_number";

/// The columns of [`WATCH`] that [`read_watch`] reads.
pub(super) const WATCH_COLUMNS: &str = "watch_due_at, watch_failures, watch_complete_at";

/// The watch of a joined row; an operation without one is not watched.
pub(super) fn read_watch(row: &Row) -> Result<RefundPollPlan, DbError> {
    Ok(RefundPollPlan {
        due_at: optional_instant(row, "watch_due_at")?,
        failures: optional_number(row, "watch_failures")?.unwrap_or_default(),
        complete_at: optional_instant(row, "watch_complete_at")?,
    })
}

/// Writes a watch over its row, or as a new one. A new plan ends the lease; an unchanged one keeps
/// its age.
pub(super) async fn save(
    connection: &mut Connection,
    key: &OperationKey,
    watch: &RefundPollPlan,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO refund_watches (merchant_code, merchant_operation_number, due_at, failures,
             complete_at, planned_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (merchant_code, merchant_operation_number) DO UPDATE SET
             due_at = excluded.due_at, failures = excluded.failures,
             complete_at = excluded.complete_at,
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
