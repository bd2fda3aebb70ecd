//! The lock that a change takes before it reads.
//!
//! SQLite has one writer, so nothing changes between a read and a write of a transaction. On
//! PostgreSQL several processes write at once. There a change first locks the rows that it depends on,
//! and every later read sees what the previous holder of the lock committed.
//!
//! Everything about a payment belongs to an order, so the row of the order is the lock. Several rows are
//! locked in the order of their ids, so that two transactions cannot deadlock. The lock does not block
//! new rows that only refer to the order, such as an idempotency key. A transaction that locks a name
//! and a row locks the name first.

use super::columns::order_list;
use super::engine::{Connection, Engine, list};
use super::error::DbError;
use payment_model::Timestamp;
use payment_rules::idempotency::IdempotentRequest;
use payment_rules::operation::OperationKey;
use payment_rules::order::FullOrderId;
use sqlx::AssertSqlSafe;

/// Locks the order of one operation. With a list of one key PostgreSQL would scan the table.
pub(super) const OPERATION: &str = "SELECT 1 FROM orders WHERE merchant_code = $1 AND order_id =
        (SELECT order_id FROM operations
         WHERE merchant_code = $1 AND merchant_operation_number = $2)
    FOR NO KEY UPDATE";

/// The rows, or the name, that a change locks before it reads.
pub(super) enum Lock<'a> {
    /// No lock: the change only adds rows, or each of its statements is atomic by itself.
    None,
    /// An order.
    Order(&'a FullOrderId),
    /// An order that may not exist yet: no other transaction inserts it meanwhile.
    NewOrder(&'a FullOrderId),
    /// Orders.
    Orders(&'a [FullOrderId]),
    /// Orders that are removed, with every row that refers to them.
    Removal(&'a [FullOrderId]),
    /// The order of an operation.
    Operation(&'a OperationKey),
    /// The orders of operations.
    Operations(&'a [OperationKey]),
    /// An account of staff, so that its concurrent requests cannot exceed its limits, and the orders of
    /// operations.
    Account(&'a str, &'a [OperationKey]),
    /// The order of an event.
    Event(i64),
    /// The orders with an undelivered event from before this instant whose receiver no server has any more.
    UnwantedDeliveries(Timestamp),
    /// An idempotency key, there or not.
    Key(&'a IdempotentRequest),
    /// An idempotency key, there or not, and an order.
    KeyAndOrder(&'a IdempotentRequest, &'a FullOrderId),
}

impl Lock<'_> {
    /// Takes the locks, which the end of the transaction releases.
    pub(super) async fn take(&self, connection: &mut Connection) -> Result<(), DbError> {
        if Engine::of(connection) == Engine::Sqlite {
            return Ok(());
        }
        match self {
            Self::None => {}
            Self::Order(order) => {
                let sql = "SELECT 1 FROM orders WHERE order_id = $1 AND merchant_code = $2
                    FOR NO KEY UPDATE";
                let locked = sqlx::query(sql).bind(&order.order_id);
                let locked = locked.bind(&order.merchant_code);
                locked.execute(connection).await?;
            }
            Self::NewOrder(order) => {
                let words = ["order", &order.merchant_code, &order.order_id];
                lock_name(connection, &words).await?;
                Box::pin(Self::Order(order).take(connection)).await?;
            }
            Self::Orders([order]) => Box::pin(Self::Order(order).take(connection)).await?,
            Self::Orders(orders) => {
                lock_orders(connection, orders, "FOR NO KEY UPDATE").await?;
            }
            Self::Removal(orders) => {
                lock_orders(connection, orders, "FOR UPDATE").await?;
            }
            Self::Operation(key) => {
                let locked = sqlx::query(OPERATION)
                    .bind(key.merchant_code.as_str())
                    .bind(key.number.as_str());
                locked.execute(connection).await?;
            }
            Self::Operations(keys) => {
                if let [key] = keys {
                    return Box::pin(Self::Operation(key).take(connection)).await;
                }
                let pairs: Vec<[&str; 2]> = keys
                    .iter()
                    .map(|key| [key.merchant_code.as_str(), key.number.as_str()])
                    .collect();
                let sql = "SELECT 1 FROM orders WHERE (order_id, merchant_code) IN
                        (SELECT o.order_id, o.merchant_code FROM json_array_elements(CAST($1 AS json)) pair JOIN operations o
                            ON o.merchant_code = pair->>0
                                AND o.merchant_operation_number = pair->>1)
                    ORDER BY order_id, merchant_code FOR NO KEY UPDATE";
                let locked = sqlx::query(sql).bind(list(&pairs)?);
                locked.execute(connection).await?;
            }
            Self::Account(staff, keys) => {
                lock_name(connection, &["account", staff]).await?;
                Box::pin(Self::Operations(keys).take(connection)).await?;
            }
            Self::Event(seq) => {
                let sql = "SELECT 1 FROM orders WHERE (order_id, merchant_code) =
                        (SELECT order_id, merchant_code FROM events WHERE seq = $1)
                    FOR NO KEY UPDATE";
                sqlx::query(sql).bind(*seq).execute(connection).await?;
            }
            Self::UnwantedDeliveries(before) => {
                let sql = "SELECT 1 FROM orders WHERE (order_id, merchant_code) IN
                        (SELECT d.order_id, d.merchant_code FROM deliveries d JOIN events e ON e.seq = d.event_seq
                        WHERE d.delivered_at IS NULL AND e.created_at < $1
                            AND d.receiver NOT IN (SELECT name FROM event_receivers))
                    ORDER BY order_id, merchant_code FOR NO KEY UPDATE";
                let locked = sqlx::query(sql).bind(before.as_millis());
                locked.execute(connection).await?;
            }
            Self::Key(request) => {
                let (kind, sender) = request.sender.words();
                lock_name(connection, &["key", kind, sender, request.key.as_str()]).await?;
            }
            Self::KeyAndOrder(request, order) => {
                Box::pin(Self::Key(request).take(connection)).await?;
                Box::pin(Self::Order(order).take(connection)).await?;
            }
        }
        Ok(())
    }
}

async fn lock_orders(
    connection: &mut Connection,
    orders: &[FullOrderId],
    strength: &str,
) -> Result<(), DbError> {
    let among = Engine::of(connection).pairs(1);
    let sql = format!(
        "SELECT 1 FROM orders WHERE (order_id, merchant_code) IN {among}
             ORDER BY order_id, merchant_code {strength}"
    );
    let locked = sqlx::query(AssertSqlSafe(sql)).bind(order_list(orders)?);
    locked.execute(connection).await?;
    Ok(())
}

/// Locks a name until the transaction ends. Two names may have the same hash; then one waits for the
/// other without need.
async fn lock_name(connection: &mut Connection, words: &[&str]) -> Result<(), DbError> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(list(words)?)
        .execute(connection)
        .await?;
    Ok(())
}
