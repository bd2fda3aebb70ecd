//! `deliveries`: which event goes to which receiver, and when. Each receiver has a queue of its own, in which
//! the events of an order are due one after the other.

use super::columns::number;
use super::connections::Db;
use super::due::{self, Due, planned_at};
use super::engine::{Connection, Row};
use super::error::DbError;
use super::lock::Lock;
use super::restore_point::REMOVABLE;
use crate::clock::Moment;
use crate::trace::Trace;
use payment_model::Timestamp;
use payment_rules::order::FullOrderId;
use payment_rules::planted_mistakes::{Mistake, planted};
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

/// An event to deliver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DueEvent {
    pub(crate) seq: i64,
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) body: String,
    /// The trace of what caused it, unless a server without traces wrote it.
    pub(crate) trace: Option<Trace>,
    /// How many deliveries to this receiver failed.
    pub(crate) failures: u32,
}

/// Adds the delivery of a new event. It is due at once, unless an earlier one of its order is not delivered
/// to the receiver yet.
pub(super) async fn add(
    connection: &mut Connection,
    seq: i64,
    receiver: &str,
    order: &FullOrderId,
    now: Timestamp,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO deliveries (event_seq, receiver, order_id, merchant_code, due_at, planned_at)
         SELECT $1, $2, $3, $4, at, at FROM (SELECT CASE WHEN EXISTS
             (SELECT 1 FROM deliveries WHERE order_id = $3 AND merchant_code = $4
                 AND receiver = $2 AND delivered_at IS NULL)
             THEN NULL ELSE $5 END AS at) AS turn",
    )
    .bind(seq)
    .bind(receiver)
    .bind(&order.order_id)
    .bind(&order.merchant_code)
    .bind(now.as_millis())
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes the undelivered events from before an instant of receivers that no server has any more, and
/// makes the next event of every order due.
pub(super) async fn remove_unwanted(
    connection: &mut Connection,
    before: Timestamp,
    now: Timestamp,
) -> Result<(), DbError> {
    let sql = format!(
        "DELETE FROM deliveries WHERE delivered_at IS NULL
             AND receiver NOT IN (SELECT name FROM event_receivers)
             AND event_seq IN (SELECT seq FROM events WHERE created_at < $1 AND {REMOVABLE})"
    );
    let removed = sqlx::query(AssertSqlSafe(sql)).bind(before.as_millis());
    if removed.execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(());
    }
    sqlx::query(
        "UPDATE deliveries SET due_at = $1, planned_at = $1
         WHERE delivered_at IS NULL AND due_at IS NULL AND NOT EXISTS
             (SELECT 1 FROM deliveries earlier WHERE earlier.order_id = deliveries.order_id
                 AND earlier.merchant_code = deliveries.merchant_code
                 AND earlier.receiver = deliveries.receiver AND earlier.delivered_at IS NULL
                 AND earlier.event_seq < deliveries.event_seq)",
    )
    .bind(now.as_millis())
    .execute(connection)
    .await?;
    Ok(())
}

/// The columns that [`read`] reads.
const COLUMNS: &str = "event_seq, failures,
    (SELECT event_id FROM events WHERE seq = event_seq) AS event_id,
    (SELECT type FROM events WHERE seq = event_seq) AS type,
    (SELECT body FROM events WHERE seq = event_seq) AS body,
    (SELECT trace FROM events WHERE seq = event_seq) AS trace";

fn read(row: &Row) -> Result<DueEvent, DbError> {
    Ok(DueEvent {
        seq: row.try_get("event_seq")?,
        id: row.try_get("event_id")?,
        kind: row.try_get("type")?,
        body: row.try_get("body")?,
        trace: row
            .try_get::<Option<&str>, _>("trace")?
            .and_then(Trace::parse),
        failures: number(row, "failures")?,
    })
}

impl Db {
    /// Takes due events of a receiver under a lease; of each order only the earliest one.
    pub(crate) async fn take_due_events(
        &self,
        receiver: &str,
        at: Moment,
        lease: Duration,
        limit: u32,
    ) -> Result<Vec<DueEvent>, DbError> {
        let mut transaction = self.write_async_commit(Lock::None).await?;
        let due = Due::Deliveries(receiver);
        let rows = transaction.take_due(due, COLUMNS, at, lease, limit).await?;
        transaction.commit().await?;
        Ok(due::readable(&rows, read))
    }

    /// When the next event of a receiver is due, by the wall clock.
    pub(crate) async fn next_due_event(
        &self,
        receiver: &str,
        at: Moment,
    ) -> Result<Option<Timestamp>, DbError> {
        due::next(&mut self.reader().await?, Due::Deliveries(receiver), at).await
    }

    /// Marks an event as delivered to a receiver, and makes the next event of its order due there.
    pub(crate) async fn event_delivered(
        &self,
        seq: i64,
        receiver: &str,
        now: Timestamp,
    ) -> Result<(), DbError> {
        // Lock the order: an event inserted at the same time would take this delivery for pending and never come due.
        let mut transaction = self.write(Lock::Event(seq)).await?;
        sqlx::query(
            "UPDATE deliveries SET delivered_at = $1, due_at = NULL, planned_at = NULL,
                 leased_until = NULL
             WHERE event_seq = $2 AND receiver = $3 AND delivered_at IS NULL",
        )
        .bind(now.as_millis())
        .bind(seq)
        .bind(receiver)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "UPDATE deliveries SET due_at = $1, planned_at = $1
             WHERE due_at IS NULL AND receiver = $3 AND event_seq =
                 (SELECT min(event_seq) FROM deliveries WHERE delivered_at IS NULL
                     AND receiver = $3
                     AND (order_id, merchant_code) =
                         (SELECT order_id, merchant_code FROM events WHERE seq = $2))",
        )
        .bind(now.as_millis())
        .bind(seq)
        .bind(receiver)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await
    }

    /// Plans the next delivery of an event whose delivery to a receiver failed.
    pub(crate) async fn event_failed(
        &self,
        seq: i64,
        receiver: &str,
        due_at: Timestamp,
    ) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::Event(seq)).await?;
        fail(&mut transaction, seq, receiver, due_at).await?;
        transaction.commit().await
    }
}

/// See [`Db::event_failed`].
pub(super) async fn fail(
    connection: &mut Connection,
    seq: i64,
    receiver: &str,
    due_at: Timestamp,
) -> Result<(), DbError> {
    let due_at = (!planted(Mistake::FailedEventIsForgotten)).then_some(due_at);
    sqlx::query(
        "UPDATE deliveries SET due_at = $1, planned_at = $2, leased_until = NULL,
             failures = failures + 1
         WHERE event_seq = $3 AND receiver = $4 AND due_at IS NOT NULL",
    )
    .bind(due_at.map(Timestamp::as_millis))
    .bind(planned_at(due_at).map(Timestamp::as_millis))
    .bind(seq)
    .bind(receiver)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
pub(super) mod tests;
