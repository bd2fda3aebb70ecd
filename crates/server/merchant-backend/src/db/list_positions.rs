//! Positions in the lists that programs of the shop read from a cursor on.
//!
//! PostgreSQL gives sequence numbers and instants before the commit, so that a row with a smaller one can
//! appear after a reader has passed it. A reader therefore gives positions to the rows that it sees committed
//! and without one, under a lock: whatever commits later gets a later position, and no cursor skips it.
//!
//! A restore takes positions back that cursors have passed. Therefore what comes after it begins at a position
//! that the time gives, which is beyond all earlier ones.

use super::connections::Db;
use super::engine::{Connection, Engine};
use super::error::DbError;
use super::lock::Lock;
use payment_model::Timestamp;
use sqlx::AssertSqlSafe;

/// A list, whose table has the column `position`.
#[derive(Clone, Copy)]
pub(super) struct List {
    /// The name of its last given position in `order_numbers`. That row is the lock.
    pub(super) name: &'static str,
    table: &'static str,
    /// The columns of its key, and when a row of `listed` has the same.
    key: &'static str,
    is_listed: &'static str,
    /// Which rows without a position are in the list.
    condition: &'static str,
    order: &'static str,
}

pub(super) const EVENTS: List = List {
    name: "event position",
    table: "events",
    key: "seq",
    is_listed: "events.seq = listed.seq",
    condition: "position IS NULL",
    order: "seq",
};

/// The orders that somebody tried to pay.
pub(super) const ORDERS: List = List {
    name: "order position",
    table: "orders",
    key: "order_id, merchant_code",
    is_listed: "orders.order_id = listed.order_id AND orders.merchant_code = listed.merchant_code",
    condition: "position IS NULL AND begun = 1",
    order: "created_at, order_id, merchant_code",
};

impl Db {
    /// Gives positions to the committed rows that have none.
    pub(super) async fn give_positions(&self, list: List) -> Result<(), DbError> {
        let List {
            table, condition, ..
        } = list;
        let sql = format!("SELECT 1 FROM {table} WHERE {condition} LIMIT 1");
        let found = sqlx::query(AssertSqlSafe(sql));
        let found = found.fetch_optional(&mut self.reader().await?).await?;
        if found.is_none() {
            return Ok(());
        }
        let mut transaction = self.write(Lock::None).await?;
        give(&mut transaction, list).await?;
        transaction.commit().await
    }
}

/// Far more positions than rows can be committed in a millisecond.
const POSITIONS_PER_MILLISECOND: i64 = 1000;

/// Lets every later position be after those that were given before this instant, also the lost ones.
pub(super) async fn begin_anew(connection: &mut Connection, at: Timestamp) -> Result<(), DbError> {
    let beyond = at.as_millis().saturating_mul(POSITIONS_PER_MILLISECOND);
    for list in [EVENTS, ORDERS] {
        raise(connection, list.name, beyond).await?;
    }
    Ok(())
}

/// Gives every committed row without a position the next one.
pub(super) async fn give(connection: &mut Connection, list: List) -> Result<(), DbError> {
    let List {
        name,
        table,
        key,
        is_listed,
        condition,
        order,
    } = list;
    let before = locked_last(connection, name).await?;
    if Engine::of(connection) == Engine::Postgres {
        // Other transactions change several of these rows in this order.
        let sql =
            format!("SELECT 1 FROM {table} WHERE {condition} ORDER BY {key} FOR NO KEY UPDATE");
        sqlx::query(AssertSqlSafe(sql))
            .execute(&mut *connection)
            .await?;
    }
    let sql = format!(
        "UPDATE {table} SET position = listed.position FROM
             (SELECT {key}, $1 + row_number() OVER (ORDER BY {order}) AS position
                 FROM {table} WHERE {condition}) AS listed
         WHERE {is_listed}"
    );
    let listed = sqlx::query(AssertSqlSafe(sql)).bind(before);
    let listed = listed.execute(&mut *connection).await?.rows_affected();
    let count = i64::try_from(listed).unwrap_or(i64::MAX);
    raise(connection, name, before.saturating_add(count)).await
}

/// The last given position. Its row stays locked until the transaction ends.
async fn locked_last(connection: &mut Connection, name: &str) -> Result<i64, DbError> {
    let last = sqlx::query_scalar(
        "INSERT INTO order_numbers (name, last) VALUES ($1, 0)
         ON CONFLICT (name) DO UPDATE SET last = order_numbers.last RETURNING last",
    );
    Ok(last.bind(name).fetch_one(connection).await?)
}

/// The number of this name, 0 if there is none.
pub(super) async fn last(connection: &mut Connection, name: &str) -> Result<i64, DbError> {
    let last = sqlx::query_scalar("SELECT last FROM order_numbers WHERE name = $1");
    let last = last.bind(name).fetch_optional(connection).await?;
    Ok(last.unwrap_or_default())
}

/// Raises the number of this name to at least this one.
pub(super) async fn raise(connection: &mut Connection, name: &str, to: i64) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO order_numbers (name, last) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET last = $2 WHERE order_numbers.last < $2",
    )
    .bind(name)
    .bind(to)
    .execute(connection)
    .await?;
    Ok(())
}
