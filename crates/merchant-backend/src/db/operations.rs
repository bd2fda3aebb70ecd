//! `operations`: attempts to pay.

use super::columns::key;
use super::connections::Db;
use super::delayed_durability::Turn;
use super::due::{self, Due};
use super::engine::{Connection, ROW_ID};
use super::error::DbError;
use super::news::Changed;
use super::operation_row::{COLUMNS, read};
use super::scope::Scope;
use crate::clock::Moment;
use payment_model::Timestamp;
use payment_rules::operation::{OperationKey, OperationRecord};
use sqlx::AssertSqlSafe;
use std::time::Duration;

impl Db {
    pub(crate) async fn operation(
        &self,
        key: &OperationKey,
    ) -> Result<Option<OperationRecord>, DbError> {
        find(&mut *self.reader().await?, key).await
    }

    /// The operations of an order, oldest first.
    pub(crate) async fn operations_of(
        &self,
        order_id: &str,
    ) -> Result<Vec<OperationRecord>, DbError> {
        of_order(&mut *self.reader().await?, order_id).await
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
        .fetch_all(&mut *self.reader().await?)
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
        .fetch_optional(&mut *self.reader().await?)
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
        let mut transaction = self.write_delayed(Scope::Operation(key)).await?;
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
        let mut transaction = self.write_delayed(Scope::Operation(key)).await?;
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
        let mut transaction = self.write_delayed(Scope::Rows).await?;
        let rows = transaction.take_due(Due::Operations, COLUMNS, at, lease, limit);
        let rows = rows.await?;
        transaction.commit().await?;
        Ok(due::readable(&rows, read))
    }

    /// When the next operation is due, by the wall clock.
    pub(crate) async fn next_due(&self, at: Moment) -> Result<Option<Timestamp>, DbError> {
        due::next(&mut *self.reader().await?, Due::Operations, at).await
    }

    /// Puts operations in doubt whose request left before an instant and was never answered, since
    /// its sender is gone. Returns their number.
    pub(crate) async fn doubt_abandoned(
        &self,
        sent_before: Timestamp,
        now: Timestamp,
    ) -> Result<u64, DbError> {
        let sending = with_sending(&mut *self.reader().await?, sent_before).await?;
        if sending.is_empty() {
            return Ok(0);
        }
        let mut transaction = self.write(Scope::Operations(&sending)).await?;
        let count = doubt_abandoned(&mut transaction, &sending, sent_before, now).await?;
        for key in &sending {
            let changed = Changed::Operation(key.clone());
            self.tell(&mut transaction, &changed).await?;
        }
        transaction.commit().await?;
        Ok(count)
    }
}

/// See [`Db::operations_of`].
pub(super) async fn of_order(
    connection: &mut Connection,
    order_id: &str,
) -> Result<Vec<OperationRecord>, DbError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM operations WHERE order_id = $1 ORDER BY created_at, {ROW_ID}"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(order_id)
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

/// How many payments of an order are in force and announced.
pub(super) async fn announced_of_order(
    connection: &mut Connection,
    order_id: &str,
) -> Result<i64, DbError> {
    let count = sqlx::query_scalar(
        "SELECT count(*) FROM operations
         WHERE order_id = $1 AND outcome = 'paid' AND announced_at IS NOT NULL",
    );
    Ok(count.bind(order_id).fetch_one(connection).await?)
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

/// See [`Db::doubt_abandoned`]. Some of them may have their answer by now.
pub(super) async fn doubt_abandoned(
    connection: &mut Connection,
    sending: &[OperationKey],
    sent_before: Timestamp,
    now: Timestamp,
) -> Result<u64, DbError> {
    let mut count: u64 = 0;
    for key in sending {
        count = count.saturating_add(doubt(&mut *connection, key, sent_before, now).await?);
    }
    Ok(count)
}

async fn doubt(
    connection: &mut Connection,
    key: &OperationKey,
    sent_before: Timestamp,
    now: Timestamp,
) -> Result<u64, DbError> {
    let done = sqlx::query(
        "UPDATE operations SET phase = 'in_doubt', live = 0, due_at = $1, planned_at = $1,
             leased_until = NULL, changed_at = $1,
             trouble = 'the server stopped before the answer came'
         WHERE phase = 'sending' AND created_at < $2
             AND merchant_code = $3 AND merchant_operation_number = $4",
    )
    .bind(now.as_millis())
    .bind(sent_before.as_millis())
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}
