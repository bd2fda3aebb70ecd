//! `events`: events for the merchant's own systems. They stay until they are delivered, and some
//! time after.

use super::columns::number;
use super::connections::Db;
use super::due::{self, Due, planned_at};
use super::engine::{Connection, Row};
use super::error::DbError;
use super::event_list;
use super::lock::Lock;
use super::restore_point::REMOVABLE;
use crate::clock::{Moment, now};
use crate::random::token;
use payment_model::Timestamp;
use payment_rules::event::Event;
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

/// An event to deliver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredEvent {
    pub(crate) seq: i64,
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) body: String,
    /// How many deliveries failed.
    pub(crate) failures: u32,
}

/// Adds an event. It is due at once, unless an earlier one of its order is not delivered yet.
pub(super) async fn add(
    connection: &mut Connection,
    event: &Event,
    now: Timestamp,
) -> Result<(), DbError> {
    let random = token()?;
    let id = format!("evt_{random}");
    sqlx::query(
        "INSERT INTO events (event_id, type, order_id, created_at, body, due_at, planned_at)
         SELECT $1, $2, $3, $4, $5, at, at FROM (SELECT CASE WHEN EXISTS
             (SELECT 1 FROM events WHERE order_id = $3 AND delivered_at IS NULL)
             THEN NULL ELSE $4 END AS at) AS turn",
    )
    .bind(&id)
    .bind(event.kind.as_str())
    .bind(&event.order_id)
    .bind(now.as_millis())
    .bind(event.body(&id, now).to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// Makes the first undelivered event of every order due, after the events before it were removed.
async fn make_next_due(connection: &mut Connection, now: Timestamp) -> Result<(), DbError> {
    sqlx::query(
        "UPDATE events SET due_at = $1, planned_at = $1 WHERE seq IN
             (SELECT min(seq) FROM events WHERE delivered_at IS NULL GROUP BY order_id)
             AND due_at IS NULL",
    )
    .bind(now.as_millis())
    .execute(connection)
    .await?;
    Ok(())
}

/// The columns that [`read`] reads.
const COLUMNS: &str = "seq, event_id, type, body, failures";

fn read(row: &Row) -> Result<StoredEvent, DbError> {
    Ok(StoredEvent {
        seq: row.try_get("seq")?,
        id: row.try_get("event_id")?,
        kind: row.try_get("type")?,
        body: row.try_get("body")?,
        failures: number(row, "failures")?,
    })
}

impl Db {
    /// Takes due events under a lease; of each order only the earliest one.
    pub(crate) async fn take_due_events(
        &self,
        at: Moment,
        lease: Duration,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, DbError> {
        let mut transaction = self.write_async_commit(Lock::None).await?;
        let rows = transaction
            .take_due(Due::Events, COLUMNS, at, lease, limit)
            .await?;
        transaction.commit().await?;
        Ok(due::readable(&rows, read))
    }

    /// When the next event is due, by the wall clock.
    pub(crate) async fn next_due_event(&self, at: Moment) -> Result<Option<Timestamp>, DbError> {
        due::next(&mut *self.reader().await?, Due::Events, at).await
    }

    /// Marks an event as delivered, and makes the next event of its order due.
    pub(crate) async fn event_delivered(&self, seq: i64, now: Timestamp) -> Result<(), DbError> {
        // The lock on the order: a new event that does not see the delivery would wait for it for ever.
        let mut transaction = self.write(Lock::Event(seq)).await?;
        sqlx::query(
            "UPDATE events SET delivered_at = $1, due_at = NULL, planned_at = NULL,
                 leased_until = NULL
             WHERE seq = $2 AND delivered_at IS NULL",
        )
        .bind(now.as_millis())
        .bind(seq)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "UPDATE events SET due_at = $1, planned_at = $1 WHERE due_at IS NULL AND seq =
                 (SELECT min(seq) FROM events WHERE delivered_at IS NULL
                     AND order_id = (SELECT order_id FROM events WHERE seq = $2))",
        )
        .bind(now.as_millis())
        .bind(seq)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await
    }

    /// Makes an event of a store due again, after the earlier undelivered ones of its order; `false` if there
    /// is no such event.
    pub(crate) async fn resend_event(
        &self,
        merchant_code: &str,
        event_id: &str,
        now: Timestamp,
    ) -> Result<bool, DbError> {
        let seq = sqlx::query_scalar::<_, i64>(
            "SELECT seq FROM events JOIN orders ON orders.order_id = events.order_id
             WHERE event_id = $1 AND merchant_code = $2",
        );
        let seq = seq.bind(event_id).bind(merchant_code);
        let Some(seq) = seq.fetch_optional(&mut *self.reader().await?).await? else {
            return Ok(false);
        };
        let mut transaction = self.write(Lock::Event(seq)).await?;
        sqlx::query(
            "UPDATE events SET delivered_at = NULL, failures = 0, leased_until = NULL
             WHERE seq = $1 AND delivered_at IS NOT NULL",
        )
        .bind(seq)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "UPDATE events SET due_at = $1, planned_at = $1 WHERE seq = $2 AND NOT EXISTS
                 (SELECT 1 FROM events other WHERE other.order_id = events.order_id
                     AND other.due_at IS NOT NULL AND other.seq <> events.seq)",
        )
        .bind(now.as_millis())
        .bind(seq)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Plans the next delivery of an event whose delivery failed.
    pub(crate) async fn event_failed(&self, seq: i64, due_at: Timestamp) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::Event(seq)).await?;
        sqlx::query(
            "UPDATE events SET due_at = $1, planned_at = $2, leased_until = NULL,
                 failures = failures + 1
             WHERE seq = $3 AND due_at IS NOT NULL",
        )
        .bind(due_at.as_millis())
        .bind(planned_at(Some(due_at)).map(Timestamp::as_millis))
        .bind(seq)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await
    }

    /// Removes events that were delivered before an instant; with `unwanted`, since no receiver is
    /// configured, also the undelivered ones that were written before it.
    pub(crate) async fn prune_events(
        &self,
        before: Timestamp,
        unwanted: bool,
    ) -> Result<(), DbError> {
        let lock = if unwanted {
            Lock::OldEvents(before)
        } else {
            Lock::None
        };
        let mut transaction = self.write(lock).await?;
        remove(&mut transaction, "delivered_at < $1", before).await?;
        if unwanted {
            let undelivered = "delivered_at IS NULL AND created_at < $1";
            remove(&mut transaction, undelivered, before).await?;
            make_next_due(&mut transaction, now()).await?;
        }
        transaction.commit().await
    }
}

/// Removes the events of a condition, of which `$1` is the instant, as far as a restore permits.
async fn remove(
    connection: &mut Connection,
    condition: &str,
    before: Timestamp,
) -> Result<(), DbError> {
    let condition = format!("{condition} AND {REMOVABLE}");
    event_list::note_removal(connection, &condition, before).await?;
    let removed = sqlx::query(AssertSqlSafe(format!(
        "DELETE FROM events WHERE {condition}"
    )));
    removed.bind(before.as_millis()).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests;
