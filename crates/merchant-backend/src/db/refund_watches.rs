//! `refund_watches`: when the refunds of an operation are looked up, and the leases of these
//! look-ups.

use super::columns::{Columns, KEY, key, number, optional_instant};
use super::connections::Db;
use super::delayed_durability::Turn;
use super::due::{self, Due, planned_at};
use super::engine::Connection;
use super::error::DbError;
use super::scope::Scope;
use crate::clock::Moment;
use payment_model::Timestamp;
use payment_rules::ledger::Watch;
use payment_rules::operation::OperationKey;
use std::time::Duration;

impl Db {
    /// Takes the turn to look an operation's refunds up, if the last turn is long enough ago.
    pub(crate) async fn take_refund_query_turn(
        &self,
        key: &OperationKey,
        now: Timestamp,
        interval: Duration,
    ) -> Result<Turn, DbError> {
        let mut transaction = self.write_delayed(Scope::Operation(key)).await?;
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
        let mut transaction = self.write_delayed(Scope::Rows).await?;
        let rows = transaction.take_due(Due::RefundWatches, KEY, at, lease, limit);
        let rows = rows.await?;
        transaction.commit().await?;
        Ok(due::readable(&rows, key))
    }

    /// When the next look-up is due, by the wall clock.
    pub(crate) async fn next_due_refunds(&self, at: Moment) -> Result<Option<Timestamp>, DbError> {
        due::next(&mut *self.reader().await?, Due::RefundWatches, at).await
    }
}

/// The columns that [`read`] reads.
pub(super) const COLUMNS: &str = "due_at, failures, whole_at";

pub(super) fn read(row: &impl Columns) -> Result<Watch, DbError> {
    Ok(Watch {
        due_at: optional_instant(row, "due_at")?,
        failures: number(row, "failures")?,
        complete_at: optional_instant(row, "whole_at")?,
    })
}

/// Writes a watch over its row, or as a new one. A new plan ends the lease; an unchanged one keeps
/// its age.
pub(super) async fn save(
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
