//! The lists of events and of orders that programs of the shop read from a cursor on.

use super::columns::optional_instant;
use super::connections::Db;
use super::engine::{Connection, Row};
use super::error::DbError;
use super::list_positions::{EVENTS, ORDERS, give, last, raise};
use super::load_order::{LoadBy, load};
use payment_model::Timestamp;
use payment_rules::order::FullOrderId;
use payment_rules::payment::Order;
use sqlx::{AssertSqlSafe, Row as _};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// The name in `order_numbers` of the last position of a removed event.
const LAST_REMOVED: &str = "removed event position";
/// The name in `order_numbers` of the number of removed events.
const REMOVALS: &str = "removed events";

/// An event as a program reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedEvent {
    pub(crate) position: i64,
    /// The body of every delivery.
    pub(crate) body: String,
    /// By receiver.
    pub(crate) deliveries: Vec<ListedDelivery>,
}

/// How far the delivery of an event to a receiver is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedDelivery {
    pub(crate) receiver: String,
    pub(crate) delivered_at: Option<Timestamp>,
    /// How many deliveries failed.
    pub(crate) failures: i64,
}

/// Where a program reads on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventCursor {
    /// The position of the last event that it read.
    pub(crate) position: i64,
    /// How many events had been removed when the cursor was given: the program knows of these gaps.
    pub(crate) known_removals: i64,
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
    /// the cursor were removed, or if it is behind the last event.
    pub(crate) async fn events_after(
        &self,
        merchant_code: &str,
        after: Option<EventCursor>,
        limit: usize,
    ) -> Result<Option<EventPage>, DbError> {
        self.give_positions(EVENTS).await?;
        let mut transaction = self.read().await?;
        let last_removed = last(&mut transaction, LAST_REMOVED).await?;
        let removals = last(&mut transaction, REMOVALS).await?;
        let after = after.unwrap_or(EventCursor {
            position: 0,
            known_removals: removals,
        });
        // Events are not removed in the order of their positions, so that the last one alone does not say
        // whether one after the cursor was removed since.
        // A cursor of the future is wrong, or from before a restore: its reader would miss the next events.
        let numbered = last(&mut transaction, EVENTS.name).await?;
        let are_missing = removals > after.known_removals && last_removed > after.position;
        if are_missing || after.position > numbered {
            return Ok(None);
        }
        let rows = sqlx::query(
            "SELECT position, body FROM events WHERE position > $1 AND merchant_code = $2
             ORDER BY position LIMIT $3",
        );
        let rows = rows.bind(after.position).bind(merchant_code);
        let rows = rows.bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = rows.fetch_all(&mut *transaction).await?;
        let events: Result<Vec<_>, DbError> = rows.iter().map(read).collect();
        let mut events = events?;
        if let (Some(first), Some(last)) = (events.first(), events.last()) {
            let positions = first.position..=last.position;
            let mut made = deliveries(&mut transaction, merchant_code, positions).await?;
            for event in &mut events {
                event.deliveries = made.remove(&event.position).unwrap_or_default();
            }
        }
        // A page that is not full ends with the last event of all stores, so that the cursor of a store
        // without events does not grow old.
        transaction.commit().await?;
        let position = match events.last() {
            Some(event) if events.len() == limit => event.position,
            _ => numbered.max(after.position),
        };
        let next = EventCursor {
            position,
            known_removals: removals,
        };
        Ok(Some(EventPage { events, next }))
    }
}

fn read(row: &Row) -> Result<ListedEvent, DbError> {
    Ok(ListedEvent {
        position: row.try_get("position")?,
        body: row.try_get("body")?,
        deliveries: Vec::new(),
    })
}

/// The deliveries of a store's events at these positions, by position.
async fn deliveries(
    connection: &mut Connection,
    merchant_code: &str,
    positions: RangeInclusive<i64>,
) -> Result<HashMap<i64, Vec<ListedDelivery>>, DbError> {
    let rows = sqlx::query(
        "SELECT e.position, d.receiver, d.delivered_at, d.failures
         FROM events e JOIN deliveries d ON d.event_seq = e.seq
         WHERE e.position >= $1 AND e.position <= $2 AND e.merchant_code = $3
         ORDER BY e.position, d.receiver",
    );
    let rows = rows.bind(*positions.start()).bind(*positions.end());
    let rows = rows.bind(merchant_code).fetch_all(connection).await?;
    let mut found: HashMap<i64, Vec<ListedDelivery>> = HashMap::new();
    for row in rows {
        let delivery = ListedDelivery {
            receiver: row.try_get("receiver")?,
            delivered_at: optional_instant(&row, "delivered_at")?,
            failures: row.try_get("failures")?,
        };
        found
            .entry(row.try_get("position")?)
            .or_default()
            .push(delivery);
    }
    Ok(found)
}

/// Notes the number and the last position of the events of a condition, of which `$1` is the instant: they are
/// about to be removed.
pub(super) async fn note_removal(
    connection: &mut Connection,
    condition: &str,
    before: Timestamp,
) -> Result<(), DbError> {
    give(connection, EVENTS).await?;
    let sql =
        format!("SELECT count(*) AS removals, max(position) AS last FROM events WHERE {condition}");
    let removed = sqlx::query(AssertSqlSafe(sql));
    let removed = removed
        .bind(before.as_millis())
        .fetch_one(&mut *connection)
        .await?;
    let Some(position) = removed.try_get::<Option<i64>, _>("last")? else {
        return Ok(());
    };
    raise(connection, LAST_REMOVED, position).await?;
    let removals = last(connection, REMOVALS).await?;
    let removals = removals.saturating_add(removed.try_get::<i64, _>("removals")?);
    raise(connection, REMOVALS, removals).await
}

/// The cursor of the list of orders without an attempt to pay: the last order that was listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct UntriedCursor {
    /// When the order was stored, in milliseconds.
    pub(crate) stored_ms: i64,
    pub(crate) order_id: String,
}

/// The next orders.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OrderPage {
    /// In the order of the list; each as it is now.
    pub(crate) orders: Vec<Order>,
    /// The position to read on from.
    pub(crate) next: i64,
}

impl Db {
    /// The orders of a store that somebody tried to pay, after a position. `None` for a position of the future, whose reader would
    /// miss the next orders.
    pub(crate) async fn orders_after(
        &self,
        merchant_code: &str,
        after: i64,
        limit: usize,
    ) -> Result<Option<OrderPage>, DbError> {
        self.give_positions(ORDERS).await?;
        let mut transaction = self.read().await?;
        let mut next = last(&mut transaction, ORDERS.name).await?;
        if after > next {
            return Ok(None);
        }
        let rows = sqlx::query(
            "SELECT order_id, position FROM orders
             WHERE position > $1 AND merchant_code = $2 ORDER BY position LIMIT $3",
        );
        let rows = rows.bind(after).bind(merchant_code);
        let rows = rows.bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = rows.fetch_all(&mut *transaction).await?;
        let mut orders = Vec::with_capacity(rows.len());
        for row in &rows {
            let key = FullOrderId::new(merchant_code, row.try_get::<String, _>("order_id")?);
            let order = load(&mut transaction, LoadBy::Order(&key)).await?;
            orders.push(order.ok_or_else(|| DbError::missing("an order"))?);
            if rows.len() == limit {
                next = row.try_get("position")?;
            }
        }
        transaction.commit().await?;
        Ok(Some(OrderPage { orders, next }))
    }

    /// Lists the orders of a store without an attempt to pay that were stored before `before`, the oldest first, from the
    /// cursor `after` on.
    pub(crate) async fn untried_orders_after(
        &self,
        merchant_code: &str,
        after: &UntriedCursor,
        before: Timestamp,
        limit: usize,
    ) -> Result<(Vec<Order>, UntriedCursor), DbError> {
        let mut transaction = self.read().await?;
        let rows = sqlx::query(
            "SELECT order_id, created_at FROM orders
             WHERE begun = 0 AND merchant_code = $1 AND (created_at, order_id) > ($2, $3) AND created_at < $4
             ORDER BY created_at, order_id LIMIT $5",
        );
        let rows = rows.bind(merchant_code).bind(after.stored_ms);
        let rows = rows.bind(&after.order_id).bind(before.as_millis());
        let rows = rows.bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = rows.fetch_all(&mut *transaction).await?;
        let mut orders = Vec::with_capacity(rows.len());
        let mut next = after.clone();
        for row in &rows {
            next = UntriedCursor {
                stored_ms: row.try_get("created_at")?,
                order_id: row.try_get("order_id")?,
            };
            let key = FullOrderId::new(merchant_code, &*next.order_id);
            let order = load(&mut transaction, LoadBy::Order(&key)).await?;
            orders.push(order.ok_or_else(|| DbError::missing("an order"))?);
        }
        transaction.commit().await?;
        Ok((orders, next))
    }
}
