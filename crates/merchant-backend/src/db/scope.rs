//! The rows on which a change rests, and their locks.
//!
//! SQLite has one writer, so that nothing changes between a read and a write of a transaction. On
//! PostgreSQL several processes write at once. There a change first locks what it rests on, and
//! every read after that sees what the last holder of the lock committed.
//!
//! Everything about a payment belongs to an order, so its row is the lock, and several rows are
//! locked in the order of their ids. The lock leaves rows that only refer to the order alone, such
//! as a new idempotency key. A name of its own comes before the lock of a row, never after it.

use super::engine::{Connection, Engine, list};
use super::error::DbError;
use payment_model::Timestamp;
use payment_rules::idempotency::IdempotentRequest;
use payment_rules::operation::OperationKey;

/// Locks the order of one operation. A list of one would be joined by a look at every row.
pub(super) const OPERATION: &str = "SELECT 1 FROM orders WHERE order_id =
        (SELECT order_id FROM operations
         WHERE merchant_code = $1 AND merchant_operation_number = $2)
    FOR NO KEY UPDATE";

/// The rows, or the name, that a change locks before it reads.
pub(super) enum Scope<'a> {
    /// Nothing: it only adds rows, or each of its statements decides for itself.
    Rows,
    /// An order.
    Order(&'a str),
    /// An order that may not be there yet, and its absence.
    NewOrder(&'a str),
    /// Orders.
    Orders(&'a [String]),
    /// Orders that are removed, and every row that refers to them.
    Removal(&'a [String]),
    /// The order of an operation.
    Operation(&'a OperationKey),
    /// The orders of operations.
    Operations(&'a [OperationKey]),
    /// What an account of the staff gives back, and the orders of operations.
    Account(&'a str, &'a [OperationKey]),
    /// The order of an event.
    Event(i64),
    /// The orders with an undelivered event from before this instant.
    OldEvents(Timestamp),
    /// An idempotency key, there or not.
    Key(&'a IdempotentRequest),
}

impl Scope<'_> {
    /// Takes the locks, which the end of the transaction releases.
    pub(super) async fn lock(&self, connection: &mut Connection) -> Result<(), DbError> {
        if Engine::of(connection) == Engine::Sqlite {
            return Ok(());
        }
        match self {
            Self::Rows => {}
            Self::Order(order_id) => {
                let sql = "SELECT 1 FROM orders WHERE order_id = $1 FOR NO KEY UPDATE";
                let locked = sqlx::query(sql).bind(*order_id);
                locked.execute(connection).await?;
            }
            Self::NewOrder(order_id) => {
                name(connection, &["order", order_id]).await?;
                Box::pin(Self::Order(order_id).lock(connection)).await?;
            }
            Self::Orders([order]) => Box::pin(Self::Order(order).lock(connection)).await?,
            Self::Orders(orders) => {
                let sql = "SELECT 1 FROM orders WHERE order_id IN
                        (SELECT json_array_elements_text(CAST($1 AS json)))
                    ORDER BY order_id FOR NO KEY UPDATE";
                let locked = sqlx::query(sql).bind(list(orders)?);
                locked.execute(connection).await?;
            }
            Self::Removal(orders) => {
                let sql = "SELECT 1 FROM orders WHERE order_id IN
                        (SELECT json_array_elements_text(CAST($1 AS json)))
                    ORDER BY order_id FOR UPDATE";
                let locked = sqlx::query(sql).bind(list(orders)?);
                locked.execute(connection).await?;
            }
            Self::Operation(key) => {
                let locked = sqlx::query(OPERATION)
                    .bind(key.merchant_code.as_str())
                    .bind(key.number.as_str());
                locked.execute(connection).await?;
            }
            Self::Operations(keys) => {
                if let [key] = keys {
                    return Box::pin(Self::Operation(key).lock(connection)).await;
                }
                let pairs: Vec<[&str; 2]> = keys
                    .iter()
                    .map(|key| [key.merchant_code.as_str(), key.number.as_str()])
                    .collect();
                let sql = "SELECT 1 FROM orders WHERE order_id IN (SELECT o.order_id
                        FROM json_array_elements(CAST($1 AS json)) pair JOIN operations o
                            ON o.merchant_code = pair->>0
                                AND o.merchant_operation_number = pair->>1)
                    ORDER BY order_id FOR NO KEY UPDATE";
                let locked = sqlx::query(sql).bind(list(&pairs)?);
                locked.execute(connection).await?;
            }
            Self::Account(staff, keys) => {
                name(connection, &["account", staff]).await?;
                Box::pin(Self::Operations(keys).lock(connection)).await?;
            }
            Self::Event(seq) => {
                let sql = "SELECT 1 FROM orders WHERE order_id =
                        (SELECT order_id FROM events WHERE seq = $1) FOR NO KEY UPDATE";
                sqlx::query(sql).bind(*seq).execute(connection).await?;
            }
            Self::OldEvents(before) => {
                let sql = "SELECT 1 FROM orders WHERE order_id IN (SELECT order_id FROM events
                        WHERE delivered_at IS NULL AND created_at < $1)
                    ORDER BY order_id FOR NO KEY UPDATE";
                let locked = sqlx::query(sql).bind(before.as_millis());
                locked.execute(connection).await?;
            }
            Self::Key(request) => {
                let (kind, sender) = request.sender.words();
                name(connection, &["key", kind, sender, request.key.as_str()]).await?;
            }
        }
        Ok(())
    }
}

/// Locks a name until the transaction ends. Two names may share a lock, and then wait for each
/// other without need.
async fn name(connection: &mut Connection, words: &[&str]) -> Result<(), DbError> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(list(words)?)
        .execute(connection)
        .await?;
    Ok(())
}
