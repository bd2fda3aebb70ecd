//! Finds operations, and writes beside their documents: turns, hints and plans.

use super::columns::key;
use super::connections::Db;
use super::due::{self, Due, Turn};
use super::error::DbError;
use super::lock::Lock;
use super::payments::{self, COLUMNS};
use crate::clock::Moment;
use payment_model::Timestamp;
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::order::FullOrderId;
use std::time::Duration;

impl Db {
    pub(crate) async fn operation(
        &self,
        key: &OperationKey,
    ) -> Result<Option<OperationRecord>, DbError> {
        let payment = payments::find(&mut self.reader().await?, key).await?;
        Ok(payment.map(|payment| payment.operation))
    }

    /// The operations of an order, oldest first.
    pub(crate) async fn operations_of(
        &self,
        order: &FullOrderId,
    ) -> Result<Vec<OperationRecord>, DbError> {
        payments::operations_of(&mut self.reader().await?, order).await
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
        Ok(due::readable(&rows, payments::read_operation))
    }

    /// When the next operation is due, by the wall clock.
    pub(crate) async fn next_due(&self, at: Moment) -> Result<Option<Timestamp>, DbError> {
        due::next(&mut self.reader().await?, Due::Operations, at).await
    }
}
