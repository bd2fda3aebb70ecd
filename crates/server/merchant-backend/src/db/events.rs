//! `events`: events for the merchant's own systems. They stay until they are delivered, and some
//! time after.

use super::connections::Db;
use super::deliveries;
use super::engine::Connection;
use super::error::DbError;
use super::event_receivers;
use super::lock::Lock;
use super::program_lists;
use super::restore_point::REMOVABLE;
use crate::clock::now;
use crate::random::token;
use crate::trace;
use payment_model::Timestamp;
use payment_rules::event::Event;
use sqlx::AssertSqlSafe;

/// Adds an event, with its delivery to each receiver that wants it.
pub(super) async fn add(
    connection: &mut Connection,
    event: &Event,
    now: Timestamp,
) -> Result<(), DbError> {
    let random = token()?;
    let id = format!("evt_{random}");
    let kind = event.kind.as_str();
    let seq = sqlx::query_scalar::<_, i64>(
        "INSERT INTO events (event_id, type, order_id, merchant_code, created_at, body, trace)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING seq",
    );
    let seq = seq
        .bind(&id)
        .bind(kind)
        .bind(&event.order_id)
        .bind(event.merchant_code.as_str())
        .bind(now.as_millis())
        .bind(event.body(&id, now).to_string())
        .bind(trace::current().and_then(|trace| trace.traceparent()))
        .fetch_one(&mut *connection)
        .await?;
    for receiver in event_receivers::that_want(connection, kind).await? {
        deliveries::add(connection, seq, &receiver, &event.full_order_id(), now).await?;
    }
    Ok(())
}

impl Db {
    /// Removes events from before an instant whose deliveries were all made before it. A receiver that no
    /// server has any more gets none, so its deliveries are removed first.
    pub(crate) async fn prune_events(&self, before: Timestamp) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::UnwantedDeliveries(before)).await?;
        deliveries::remove_unwanted(&mut transaction, before, now()).await?;
        let old = format!(
            "created_at < $1 AND {REMOVABLE} AND NOT EXISTS (SELECT 1 FROM deliveries d
                 WHERE d.event_seq = events.seq
                     AND (d.delivered_at IS NULL OR d.delivered_at >= $1))"
        );
        program_lists::note_removal(&mut transaction, &old, before).await?;
        let of_old = format!("event_seq IN (SELECT seq FROM events WHERE {old})");
        for sql in [
            format!("DELETE FROM deliveries WHERE {of_old}"),
            format!("DELETE FROM events WHERE {old}"),
        ] {
            let removed = sqlx::query(AssertSqlSafe(sql)).bind(before.as_millis());
            removed.execute(&mut *transaction).await?;
        }
        transaction.commit().await
    }
}

#[cfg(test)]
mod tests;
