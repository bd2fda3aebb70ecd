//! `event_receivers`: the receivers of events that the servers of this database have in their settings, and which of
//! them answered 410 and are stopped until they are resumed. A program of the shop can have an event sent to one again.

use super::admin_connection::AdminDb;
use super::connections::Db;
use super::deliveries;
use super::engine::{Connection, Engine, list};
use super::error::DbError;
use super::lock::Lock;
use payment_model::Timestamp;
use payment_rules::event::{EventFilter, EventKind};
use payment_rules::order::FullOrderId;
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

/// A server writes its receivers anew every hour, so that after this time no server has one any more.
const GONE_AFTER: Duration = Duration::from_hours(24);

impl Db {
    /// Notes the receivers of this server: events from now on go to them. A file belongs to one server, so
    /// there the others are forgotten at once.
    pub(crate) async fn note_receivers(
        &self,
        receivers: impl Iterator<Item = (&str, &EventFilter)> + Send,
        now: Timestamp,
    ) -> Result<(), DbError> {
        let mut receivers: Vec<_> = receivers.collect();
        // Two servers that start together wait for each other's rows in one order.
        receivers.sort_unstable_by_key(|(name, _)| *name);
        let names: Vec<_> = receivers.iter().map(|(name, _)| *name).collect();
        let mut transaction = self.write(Lock::None).await?;
        for (name, filter) in receivers {
            let types: Vec<_> = filter.kinds().map(EventKind::as_str).collect();
            sqlx::query(
                "INSERT INTO event_receivers (name, types, seen_at) VALUES ($1, $2, $3)
                 ON CONFLICT (name) DO UPDATE SET types = excluded.types,
                     seen_at = excluded.seen_at",
            )
            .bind(name)
            .bind(list(&types)?)
            .bind(now.as_millis())
            .execute(&mut *transaction)
            .await?;
        }
        if self.engine() == Engine::Sqlite {
            let others = Engine::Sqlite.texts(1);
            let others = format!("DELETE FROM event_receivers WHERE name NOT IN {others}");
            let others = sqlx::query(AssertSqlSafe(others)).bind(list(&names)?);
            others.execute(&mut *transaction).await?;
        } else {
            sqlx::query("DELETE FROM event_receivers WHERE seen_at < $1")
                .bind(now.saturating_sub(GONE_AFTER).as_millis())
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await
    }
}

/// The receivers that want this type of events.
pub(super) async fn that_want(
    connection: &mut Connection,
    kind: &str,
) -> Result<Vec<String>, DbError> {
    let rows = sqlx::query("SELECT name, types FROM event_receivers ORDER BY name");
    let mut wanting = Vec::new();
    for row in rows.fetch_all(connection).await? {
        let types: Vec<String> = serde_json::from_str(row.try_get("types")?)?;
        if types.iter().any(|wanted| wanted == kind) {
            wanting.push(row.try_get("name")?);
        }
    }
    Ok(wanting)
}

/// True for a receiver that a server has.
pub(super) async fn is_known(connection: &mut Connection, name: &str) -> Result<bool, DbError> {
    let known = sqlx::query("SELECT 1 FROM event_receivers WHERE name = $1").bind(name);
    Ok(known.fetch_optional(connection).await?.is_some())
}

/// Every receiver that a server has.
pub(super) async fn names(connection: &mut Connection) -> Result<Vec<String>, DbError> {
    let names = sqlx::query_scalar("SELECT name FROM event_receivers ORDER BY name");
    Ok(names.fetch_all(connection).await?)
}

/// What became of the command to resume a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResumeOutcome {
    Resumed,
    /// It was not stopped.
    NotStopped,
    /// No server has it; these are there.
    Unknown(Vec<String>),
}

impl Db {
    /// True while a receiver is stopped.
    pub(crate) async fn receiver_is_stopped(&self, receiver: &str) -> Result<bool, DbError> {
        let stopped =
            sqlx::query("SELECT 1 FROM event_receivers WHERE name = $1 AND stopped_at IS NOT NULL");
        let stopped = stopped.bind(receiver);
        let stopped = stopped.fetch_optional(&mut self.reader().await?).await?;
        Ok(stopped.is_some())
    }

    /// Stops a receiver, which answered 410 to an event, and plans the event like one whose delivery failed.
    /// `false` if it was stopped before.
    pub(crate) async fn stop_receiver(
        &self,
        seq: i64,
        receiver: &str,
        due_at: Timestamp,
        now: Timestamp,
    ) -> Result<bool, DbError> {
        let mut transaction = self.write(Lock::Event(seq)).await?;
        // A resumption takes these rows in the same order.
        let stopped = sqlx::query(
            "UPDATE event_receivers SET stopped_at = $1, stopped_seq = $2
             WHERE name = $3 AND stopped_at IS NULL",
        )
        .bind(now.as_millis())
        .bind(seq)
        .bind(receiver)
        .execute(&mut *transaction)
        .await?;
        deliveries::fail(&mut transaction, seq, receiver, due_at).await?;
        transaction.commit().await?;
        Ok(stopped.rows_affected() > 0)
    }
}

impl AdminDb {
    /// Resumes a receiver. Its events are due at once, and count as never sent, since what failed before the
    /// stop says nothing about the receiver that is back.
    pub(crate) async fn resume_receiver(
        &self,
        receiver: &str,
        now: Timestamp,
    ) -> Result<ResumeOutcome, DbError> {
        let mut transaction = self.write().await?;
        if !is_known(&mut transaction, receiver).await? {
            let names = names(&mut transaction).await?;
            return Ok(ResumeOutcome::Unknown(names));
        }
        let resumed = sqlx::query(
            "UPDATE event_receivers SET stopped_at = NULL, stopped_seq = NULL
             WHERE name = $1 AND stopped_at IS NOT NULL",
        );
        let resumed = resumed.bind(receiver).execute(&mut *transaction).await?;
        if resumed.rows_affected() == 0 {
            return Ok(ResumeOutcome::NotStopped);
        }
        // An earlier plan keeps its place, so that the events come nearly in their order.
        sqlx::query(
            "UPDATE deliveries SET failures = 0,
                 planned_at = CASE WHEN due_at > $1 THEN $1 ELSE planned_at END,
                 due_at = CASE WHEN due_at > $1 THEN $1 ELSE due_at END
             WHERE receiver = $2 AND due_at IS NOT NULL AND leased_until IS NULL",
        )
        .bind(now.as_millis())
        .bind(receiver)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(ResumeOutcome::Resumed)
    }
}

#[cfg(test)]
mod stopped_receivers_tests;

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
        let mut receivers = that_want(&mut transaction, &kind).await?;
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
