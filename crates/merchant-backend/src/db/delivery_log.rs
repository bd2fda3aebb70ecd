//! `delivery_attempts`: the log of all delivery attempts, each with its HTTP status or why there was none, and its duration.

use super::columns::instant;
use super::connections::Db;
use super::engine::{Connection, Row, list};
use super::error::DbError;
use payment_model::Timestamp;
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

/// What became of a delivery that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeliveryOutcome {
    /// The receiver answered with this status.
    Answered(u16),
    NoAnswerInTime,
    NoConnection,
    /// The answer cannot be read. The event may have arrived.
    NoAnswer,
}

impl DeliveryOutcome {
    /// True if the receiver took the event.
    pub(crate) fn is_accepted(self) -> bool {
        matches!(self, Self::Answered(200..=299))
    }

    /// True if the receiver wants no event any more.
    pub(crate) fn is_gone(self) -> bool {
        matches!(self, Self::Answered(410))
    }

    fn status(self) -> Option<u16> {
        match self {
            Self::Answered(status) => Some(status),
            Self::NoAnswerInTime | Self::NoConnection | Self::NoAnswer => None,
        }
    }

    /// The word of a failure.
    fn failure(self) -> Option<&'static str> {
        match self {
            _ if self.is_accepted() => None,
            Self::Answered(_) => Some("refused"),
            Self::NoAnswerInTime => Some("no_answer_in_time"),
            Self::NoConnection => Some("no_connection"),
            Self::NoAnswer => Some("no_answer"),
        }
    }
}

/// A delivery that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SentDelivery {
    pub(crate) sent_at: Timestamp,
    pub(crate) outcome: DeliveryOutcome,
    pub(crate) duration: Duration,
}

/// A delivery of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LoggedDelivery {
    pub(crate) event_id: String,
    /// The type of the event.
    pub(crate) kind: String,
    pub(crate) order_id: String,
    pub(crate) receiver: String,
    pub(crate) sent_at: Timestamp,
    /// The status of the answer; `None` without an answer.
    pub(crate) status: Option<i64>,
    /// Why it failed, in a word; `None` if the receiver took the event.
    pub(crate) failure: Option<String>,
    pub(crate) duration_ms: i64,
}

/// Adds a delivery to the log.
pub(super) async fn add(
    connection: &mut Connection,
    seq: i64,
    receiver: &str,
    sent: SentDelivery,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO delivery_attempts (event_seq, receiver, sent_at, status, failure, duration_ms)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(seq)
    .bind(receiver)
    .bind(sent.sent_at.as_millis())
    .bind(sent.outcome.status().map(i64::from))
    .bind(sent.outcome.failure())
    .bind(i64::try_from(sent.duration.as_millis()).unwrap_or(i64::MAX))
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes the deliveries from before an instant.
pub(super) async fn prune(connection: &mut Connection, before: Timestamp) -> Result<(), DbError> {
    sqlx::query("DELETE FROM delivery_attempts WHERE sent_at < $1")
        .bind(before.as_millis())
        .execute(connection)
        .await?;
    Ok(())
}

const SELECT: &str = "SELECT e.event_id, e.type, e.order_id, a.receiver, a.sent_at, a.status,
        a.failure, a.duration_ms
    FROM delivery_attempts a JOIN events e ON e.seq = a.event_seq";

fn read(row: &Row) -> Result<LoggedDelivery, DbError> {
    Ok(LoggedDelivery {
        event_id: row.try_get("event_id")?,
        kind: row.try_get("type")?,
        order_id: row.try_get("order_id")?,
        receiver: row.try_get("receiver")?,
        sent_at: instant(row, "sent_at")?,
        status: row.try_get("status")?,
        failure: row.try_get("failure")?,
        duration_ms: row.try_get("duration_ms")?,
    })
}

impl Db {
    /// The last deliveries of an event of a store, the newest first. `None` if the store has no such event.
    pub(crate) async fn deliveries_of(
        &self,
        merchant_code: &str,
        event_id: &str,
        limit: u32,
    ) -> Result<Option<Vec<LoggedDelivery>>, DbError> {
        let mut reader = self.reader().await?;
        let known = sqlx::query("SELECT 1 FROM events WHERE event_id = $1 AND merchant_code = $2");
        let known = known.bind(event_id).bind(merchant_code);
        if known.fetch_optional(&mut reader).await?.is_none() {
            return Ok(None);
        }
        let sql = format!("{SELECT} WHERE e.event_id = $1 ORDER BY a.id DESC LIMIT $2");
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(event_id);
        let rows = rows.bind(i64::from(limit)).fetch_all(&mut reader).await?;
        rows.iter().map(read).collect::<Result<_, _>>().map(Some)
    }

    /// The last deliveries of events of some stores, or of one order of theirs, the newest first.
    pub(crate) async fn last_deliveries(
        &self,
        merchant_codes: &[String],
        order_id: Option<&str>,
        limit: u32,
    ) -> Result<Vec<LoggedDelivery>, DbError> {
        let among = self.engine().texts(1);
        let of_order = order_id.map_or("", |_| "AND e.order_id = $3");
        let sql = format!(
            "{SELECT} WHERE e.merchant_code IN {among} {of_order}
             ORDER BY a.sent_at DESC, a.id DESC LIMIT $2"
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(list(merchant_codes)?)
            .bind(i64::from(limit));
        let rows = match order_id {
            None => rows,
            Some(order_id) => rows.bind(order_id),
        };
        let rows = rows.fetch_all(&mut self.reader().await?).await?;
        rows.iter().map(read).collect()
    }
}
