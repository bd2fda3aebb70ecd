//! Sends an event again, to one receiver or to all that want it.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::event_receivers;
use super::lock::Lock;
use payment_model::Timestamp;
use payment_rules::order::FullOrderId;
use sqlx::Row as _;
use std::time::Duration;

/// What became of a wish to send an event again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResendEventOutcome {
    /// It is due, after the earlier undelivered ones of its order.
    Due,
    /// The store has no such event.
    NoEvent,
    /// No server has such a receiver, or it does not want the type of the event.
    NoReceiver,
    /// All of its receivers got it a moment ago.
    TooOften(Duration),
}

impl Db {
    /// Makes an event of a store due again, at one receiver or at all that want its type, also if they
    /// came later than the event. `admits` says how long a receiver has to wait for it.
    pub(crate) async fn resend_event(
        &self,
        merchant_code: &str,
        event_id: &str,
        receiver: Option<&str>,
        admits: impl Fn(&str) -> Result<(), Duration> + Send,
        now: Timestamp,
    ) -> Result<ResendEventOutcome, DbError> {
        let found = sqlx::query(
            "SELECT seq, type, order_id FROM events WHERE event_id = $1 AND merchant_code = $2",
        );
        let found = found.bind(event_id).bind(merchant_code);
        let Some(found) = found.fetch_optional(&mut self.reader().await?).await? else {
            return Ok(ResendEventOutcome::NoEvent);
        };
        let (seq, kind): (i64, String) = (found.try_get("seq")?, found.try_get("type")?);
        let order = FullOrderId::new(merchant_code, found.try_get::<String, _>("order_id")?);
        let mut transaction = self.write(Lock::Event(seq)).await?;
        let mut receivers = event_receivers::that_want(&mut transaction, &kind).await?;
        if let Some(name) = receiver {
            // A type that a receiver did not ask for may have what it should not learn, such as a code.
            receivers.retain(|one| one == name);
            if receivers.is_empty() {
                return Ok(ResendEventOutcome::NoReceiver);
            }
        }
        let mut wait = None;
        receivers.retain(|one| match admits(one) {
            Ok(()) => true,
            Err(rest) => {
                wait = Some(wait.map_or(rest, |wait: Duration| wait.min(rest)));
                false
            }
        });
        if let (true, Some(wait)) = (receivers.is_empty(), wait) {
            return Ok(ResendEventOutcome::TooOften(wait));
        }
        for receiver in receivers {
            make_due(&mut transaction, seq, &receiver, &order, now).await?;
        }
        transaction.commit().await?;
        Ok(ResendEventOutcome::Due)
    }
}

async fn make_due(
    connection: &mut Connection,
    seq: i64,
    receiver: &str,
    order: &FullOrderId,
    now: Timestamp,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO deliveries (event_seq, receiver, order_id, merchant_code)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (event_seq, receiver) DO UPDATE SET delivered_at = NULL, failures = 0,
             leased_until = NULL
             WHERE deliveries.delivered_at IS NOT NULL",
    )
    .bind(seq)
    .bind(receiver)
    .bind(&order.order_id)
    .bind(&order.merchant_code)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE deliveries SET due_at = $1, planned_at = $1
         WHERE event_seq = $2 AND receiver = $3 AND NOT EXISTS
             (SELECT 1 FROM deliveries other WHERE other.order_id = $4
                 AND other.merchant_code = $5 AND other.receiver = $3 AND other.due_at IS NOT NULL AND other.event_seq <> $2)",
    )
    .bind(now.as_millis())
    .bind(seq)
    .bind(receiver)
    .bind(&order.order_id)
    .bind(&order.merchant_code)
    .execute(connection)
    .await?;
    Ok(())
}
