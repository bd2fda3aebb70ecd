//! Finds operations, and writes beside their documents: turns, hints and plans, also those of their refunds; the
//! transaction ids that notifications named (`transaction_hints`).

use super::columns::{KEY, key};
use super::connections::Db;
use super::due::{self, Due, Turn};
use super::engine::Connection;
use super::error::DbError;
use super::lock::Lock;
use super::payments::{self, COLUMNS};
use crate::clock::Moment;
use payment_model::{Timestamp, TransactionId};
use payment_rules::operation::{OperationKey, OperationRecord, Phase};
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

/// A limit on guesses of a transaction id.
const MAX_HINTS_PER_OPERATION: i64 = 10;

/// Makes an operation without a plan due if a transaction id is known to query it by. A planned query
/// uses the id too.
pub(super) async fn make_due(
    connection: &mut Connection,
    key: &OperationKey,
    now: Timestamp,
) -> Result<(), DbError> {
    sqlx::query(
        "UPDATE operations SET due_at = $1, planned_at = $1, leased_until = NULL
         WHERE merchant_code = $2 AND merchant_operation_number = $3 AND due_at IS NULL
             AND phase IN ('in_doubt', 'lost', 'refused')
             AND EXISTS (SELECT 1 FROM transaction_hints h WHERE h.merchant_code = $2
                 AND h.merchant_operation_number = $3 AND h.wrong = 0)",
    )
    .bind(now.as_millis())
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// Who named a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HintSource {
    /// The payer's browser, or a member of staff.
    Person,
    /// An answer to the authorization.
    Answer,
    /// A notification at the operation's own address, which only the service knows: it may be believed to be about
    /// this operation also if its number is another installation's, as the service said.
    Notification,
}

impl Db {
    /// Keeps an id for an operation whose transaction is not known, also if the service refused it, and makes it
    /// due; `false` when the id was kept before, or when the operation has enough of them.
    pub(crate) async fn note_transaction_hint(
        &self,
        key: &OperationKey,
        id: &TransactionId,
        source: HintSource,
        now: Timestamp,
    ) -> Result<bool, DbError> {
        let mut transaction = self.write(Lock::Operation(key)).await?;
        let payment = payments::find(&mut transaction, key).await?;
        let takes = |record: &OperationRecord| {
            let is_ours = record.number_taken_at.is_none() || source == HintSource::Notification;
            record.phase != Phase::Known && is_ours
        };
        if !payment.is_some_and(|payment| takes(&payment.operation)) {
            return Ok(false);
        }
        let noted = sqlx::query(
            "INSERT INTO transaction_hints (merchant_code, merchant_operation_number,
                 transaction_id, noted_at)
             SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM transaction_hints h
                 WHERE h.merchant_code = $1 AND h.merchant_operation_number = $2) < $5
             ON CONFLICT DO NOTHING",
        )
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .bind(id.as_str())
        .bind(now.as_millis())
        .bind(MAX_HINTS_PER_OPERATION)
        .execute(&mut *transaction)
        .await?;
        make_due(&mut transaction, key, now).await?;
        transaction.commit().await?;
        Ok(noted.rows_affected() > 0)
    }

    /// The ids to query by, the oldest first.
    pub(crate) async fn transaction_hints(
        &self,
        key: &OperationKey,
    ) -> Result<Vec<TransactionId>, DbError> {
        let ids = sqlx::query_scalar::<_, String>(
            "SELECT transaction_id FROM transaction_hints WHERE merchant_code = $1
                 AND merchant_operation_number = $2 AND wrong = 0 ORDER BY noted_at, transaction_id",
        )
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .fetch_all(&mut self.reader().await?)
        .await?;
        Ok(ids.into_iter().map(TransactionId::new).collect())
    }

    /// Marks an id as wrong, so that it is not used again. It still counts towards the limit of the
    /// operation.
    pub(crate) async fn refute_transaction_hint(
        &self,
        key: &OperationKey,
        id: &TransactionId,
    ) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::None).await?;
        sqlx::query(
            "UPDATE transaction_hints SET wrong = 1 WHERE merchant_code = $1
                 AND merchant_operation_number = $2 AND transaction_id = $3",
        )
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .bind(id.as_str())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await
    }
}
