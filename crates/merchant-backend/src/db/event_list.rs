//! The list of events that programs of the shop read from a cursor on.

use super::connections::Db;
use super::engine::{Connection, Row};
use super::error::DbError;
use super::list_positions::{EVENTS, give, last, raise};
use payment_model::Timestamp;
use sqlx::{AssertSqlSafe, Row as _};

/// The name in `order_numbers` of the last position of a removed event.
const LAST_REMOVED: &str = "removed event position";

/// An event as a program reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedEvent {
    pub(crate) position: i64,
    /// The body of every delivery.
    pub(crate) body: String,
    pub(crate) delivered_at: Option<Timestamp>,
    /// How many deliveries failed.
    pub(crate) failures: i64,
}

/// Where a program reads on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventCursor {
    /// The position of the last event that it read.
    pub(crate) position: i64,
    /// The last removed position when it began to read from the first event that was kept: it knows of
    /// that gap.
    pub(crate) known_gap: i64,
}

/// The next events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EventPage {
    /// The earliest first.
    pub(crate) events: Vec<ListedEvent>,
    /// Where to read on.
    pub(crate) next: EventCursor,
}

impl Db {
    /// The events of a store after a cursor, or from the first one that is kept. `None` if events after
    /// the cursor were removed.
    pub(crate) async fn events_after(
        &self,
        merchant_code: &str,
        after: Option<EventCursor>,
        limit: usize,
    ) -> Result<Option<EventPage>, DbError> {
        self.give_positions(EVENTS).await?;
        let mut transaction = self.read().await?;
        let removed = last(&mut transaction, LAST_REMOVED).await?;
        let after = after.unwrap_or(EventCursor {
            position: 0,
            known_gap: removed,
        });
        if removed > after.position.max(after.known_gap) {
            return Ok(None);
        }
        let rows = sqlx::query(
            "SELECT events.position, events.body, events.delivered_at, events.failures
             FROM events JOIN orders ON orders.order_id = events.order_id
             WHERE events.position > $1 AND orders.merchant_code = $2
             ORDER BY events.position LIMIT $3",
        );
        let rows = rows.bind(after.position).bind(merchant_code);
        let rows = rows.bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = rows.fetch_all(&mut *transaction).await?;
        // A page that is not full ends with the last event of all stores, so that the cursor of a store
        // without events does not grow old.
        let numbered = last(&mut transaction, EVENTS.name).await?;
        transaction.commit().await?;
        let events: Result<Vec<_>, DbError> = rows.iter().map(read).collect();
        let events = events?;
        let position = match events.last() {
            Some(event) if events.len() == limit => event.position,
            _ => numbered.max(after.position),
        };
        let next = EventCursor { position, ..after };
        Ok(Some(EventPage { events, next }))
    }
}

fn read(row: &Row) -> Result<ListedEvent, DbError> {
    let delivered_at: Option<i64> = row.try_get("delivered_at")?;
    Ok(ListedEvent {
        position: row.try_get("position")?,
        body: row.try_get("body")?,
        delivered_at: delivered_at.map(Timestamp::from_millis),
        failures: row.try_get("failures")?,
    })
}

/// Notes the last position among the events that are about to be removed: all that were delivered before
/// an instant, or all undelivered ones that were made before it.
pub(super) async fn note_removal(
    connection: &mut Connection,
    condition: &str,
    before: Timestamp,
) -> Result<(), DbError> {
    give(connection, EVENTS).await?;
    let sql = format!("SELECT max(position) FROM events WHERE {condition}");
    let removed = sqlx::query_scalar::<_, Option<i64>>(AssertSqlSafe(sql));
    let removed = removed
        .bind(before.as_millis())
        .fetch_one(&mut *connection)
        .await?;
    match removed {
        Some(position) => raise(connection, LAST_REMOVED, position).await,
        None => Ok(()),
    }
}
