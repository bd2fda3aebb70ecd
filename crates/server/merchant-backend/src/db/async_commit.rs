//! Writes whose commit does not wait for the disk, and which may be lost when the power fails: turns,
//! leases, plans and hints. A lost turn, lease or plan costs one request too many; after a lost hint the
//! next poll finds the change.
//!
//! [`AsyncCommitTx`] keeps its connection private, and every function that writes about money needs a
//! connection, so that no such function can commit without waiting.

use super::columns::millis;
use super::due::{Due, Turn, planned_at};
use super::engine::{Engine, Pool, Row};
use super::error::DbError;
use super::refund_watches;
use super::write_transaction::WriteTx;
use crate::clock::Moment;
use payment_model::Timestamp;
use payment_rules::ledger::RefundPollPlan;
use payment_rules::operation::{OperationKey, OperationRecord};
use sqlx::AssertSqlSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedMutexGuard;

/// A transaction whose commit does not wait for the disk: on a connection of its own with
/// `synchronous=NORMAL`, or with `synchronous_commit=off` on PostgreSQL. The next commit that does
/// wait makes it durable too, and none survives without the earlier ones.
pub(super) struct AsyncCommitTx(WriteTx);

impl AsyncCommitTx {
    /// Begins on the connection of a file that does not wait for the disk.
    pub(super) async fn begin(
        pool: &Pool,
        turn: Option<OwnedMutexGuard<()>>,
    ) -> Result<Self, DbError> {
        let tx = WriteTx::begin_in_turn(pool, turn, Arc::default()).await?;
        Ok(Self(tx))
    }

    /// Turns a transaction of PostgreSQL into one whose commit does not wait for the disk.
    pub(super) async fn of_server(mut tx: WriteTx) -> Result<Self, DbError> {
        sqlx::query("SET LOCAL synchronous_commit = off")
            .execute(&mut *tx)
            .await?;
        Ok(Self(tx))
    }

    pub(super) async fn commit(self) -> Result<(), DbError> {
        self.0.end().await.map(drop)
    }

    /// Takes the turn to query the service about an operation. A last turn in the future is ignored,
    /// since the clock was set back.
    pub(super) async fn take_turn(
        &mut self,
        key: &OperationKey,
        now: Timestamp,
        interval: Duration,
    ) -> Result<Turn, DbError> {
        let find = "SELECT queried_at FROM operations
            WHERE merchant_code = $1 AND merchant_operation_number = $2";
        // A turn ends a hint, even if a node with a faster clock wrote the hint.
        let claim = "UPDATE operations SET queried_at = $3,
                hinted_at = CASE WHEN hinted_at > $3 THEN $3 ELSE hinted_at END
            WHERE merchant_code = $1 AND merchant_operation_number = $2";
        self.claim(find, claim, key, now, interval).await
    }

    /// Notes that a notification came. The hint is later than the last turn, even if another node with
    /// another clock wrote that. A hint that still waits for a turn is not replaced.
    pub(super) async fn note_hint(
        &mut self,
        key: &OperationKey,
        now: Timestamp,
    ) -> Result<(), DbError> {
        sqlx::query(
            "UPDATE operations
             SET hinted_at = CASE WHEN queried_at >= $3 THEN queried_at + 1 ELSE $3 END
             WHERE merchant_code = $1 AND merchant_operation_number = $2
                 AND (hinted_at IS NULL OR hinted_at <= queried_at)",
        )
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .bind(now.as_millis())
        .execute(&mut *self.0)
        .await?;
        Ok(())
    }

    /// Takes the turn to look an operation's refunds up.
    pub(super) async fn take_refund_query_turn(
        &mut self,
        key: &OperationKey,
        now: Timestamp,
        interval: Duration,
    ) -> Result<Turn, DbError> {
        let find = "SELECT asked_at FROM refund_watches
            WHERE merchant_code = $1 AND merchant_operation_number = $2";
        let claim = "INSERT INTO refund_watches
                (merchant_code, merchant_operation_number, failures, asked_at)
            VALUES ($1, $2, 0, $3) ON CONFLICT (merchant_code, merchant_operation_number)
                DO UPDATE SET asked_at = excluded.asked_at";
        self.claim(find, claim, key, now, interval).await
    }

    async fn claim(
        &mut self,
        find: &'static str,
        claim: &'static str,
        key: &OperationKey,
        now: Timestamp,
        interval: Duration,
    ) -> Result<Turn, DbError> {
        let last: Option<Option<i64>> = sqlx::query_scalar(find)
            .bind(key.merchant_code.as_str())
            .bind(key.number.as_str())
            .fetch_optional(&mut *self.0)
            .await?;
        let last = last.flatten().map(Timestamp::from_millis);
        let age = last.and_then(|last| now.checked_duration_since(last));
        if let Some(age) = age.filter(|age| *age < interval) {
            return Ok(Turn::Wait(interval.saturating_sub(age)));
        }
        sqlx::query(claim)
            .bind(key.merchant_code.as_str())
            .bind(key.number.as_str())
            .bind(now.as_millis())
            .execute(&mut *self.0)
            .await?;
        Ok(Turn::Taken)
    }

    /// Takes due rows under a lease; returns these columns of them.
    pub(super) async fn take_due(
        &mut self,
        due: Due<'_>,
        columns: &str,
        at: Moment,
        lease: Duration,
        limit: u32,
    ) -> Result<Vec<Row>, DbError> {
        let sql = due.take_statement(Engine::of(&self.0), columns);
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(at.wall.as_millis())
            .bind(at.steady.as_millis())
            .bind(millis(lease))
            .bind(i64::from(limit));
        let rows = match due.receiver() {
            None => rows,
            Some(receiver) => rows.bind(receiver),
        };
        Ok(rows.fetch_all(&mut *self.0).await?)
    }

    /// Plans the next poll of an operation that did not change otherwise; false if its row was written
    /// or a notification came since the operation was read.
    pub(super) async fn plan(
        &mut self,
        read: &OperationRecord,
        planned: &OperationRecord,
    ) -> Result<bool, DbError> {
        let written = sqlx::query(
            "UPDATE operations SET due_at = $3, planned_at = $4, leased_until = NULL,
                 failures = $5, hinted_at = $6
             WHERE merchant_code = $1 AND merchant_operation_number = $2 AND version = $7
                 AND hinted_at IS NOT DISTINCT FROM $8",
        )
        .bind(planned.key.merchant_code.as_str())
        .bind(planned.key.number.as_str())
        .bind(planned.due_at.map(Timestamp::as_millis))
        .bind(planned_at(planned.due_at).map(Timestamp::as_millis))
        .bind(i64::from(planned.failures))
        .bind(planned.hinted_at.map(Timestamp::as_millis))
        .bind(read.version.cast_signed())
        .bind(read.hinted_at.map(Timestamp::as_millis))
        .execute(&mut *self.0)
        .await?;
        Ok(written.rows_affected() > 0)
    }

    /// Plans the next poll of an operation's refunds. The order of the operation is locked.
    pub(super) async fn plan_refund_poll(
        &mut self,
        key: &OperationKey,
        watch: &RefundPollPlan,
    ) -> Result<(), DbError> {
        refund_watches::save(&mut self.0, key, watch).await
    }
}

#[cfg(test)]
mod tests;
