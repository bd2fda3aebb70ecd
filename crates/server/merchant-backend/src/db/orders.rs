//! `orders`: orders with their state.

use super::columns::{amount, flag, full_order_id, instant, optional_instant, order_list};
use super::connections::Db;
use super::engine::{Connection, Engine, Row};
use super::error::DbError;
use super::lock::Lock;
use super::restore_point::REMOVABLE;
use super::{idempotency_keys, order_sessions};
use crate::clock::moment;
use payment_model::Timestamp;
use payment_rules::order::{FullOrderId, OrderFacts, OrderState};
use sqlx::{AssertSqlSafe, Row as _};

impl Db {
    pub(crate) async fn add_order(&self, order: &OrderFacts) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::None).await?;
        add(&mut transaction, order).await?;
        transaction.commit().await
    }

    /// The next order number, unique in this database.
    pub(crate) async fn next_order_number(&self, first: u32) -> Result<i64, DbError> {
        let mut transaction = self.write(Lock::None).await?;
        let number = sqlx::query_scalar(
            "INSERT INTO order_numbers (name, last) VALUES ('order', $1)
             ON CONFLICT (name) DO UPDATE SET last = order_numbers.last + 1 RETURNING last",
        );
        let number = number.bind(i64::from(first));
        let number = number.fetch_one(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(number)
    }

    pub(crate) async fn order(&self, key: &FullOrderId) -> Result<Option<OrderFacts>, DbError> {
        find(&mut self.reader().await?, key).await
    }

    /// The orders with this id, each of another store.
    pub(crate) async fn orders_with_id(&self, order_id: &str) -> Result<Vec<OrderFacts>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM orders WHERE order_id = $1");
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(order_id)
            .fetch_all(&mut self.reader().await?)
            .await?;
        rows.iter().map(read).collect()
    }

    /// Removes some of the oldest orders without an operation from before an instant; returns their
    /// number.
    pub(crate) async fn remove_abandoned(
        &self,
        before: Timestamp,
        limit: u32,
    ) -> Result<u64, DbError> {
        let found = abandoned(&mut self.reader().await?, before, limit).await?;
        if found.is_empty() {
            return Ok(0);
        }
        let mut transaction = self.write(Lock::Removal(&found)).await?;
        // Checked again, since a payer may have begun to pay one of them meanwhile.
        let found = still_abandoned(&mut transaction, &found).await?;
        idempotency_keys::remove_of_orders(&mut transaction, &found).await?;
        order_sessions::remove_of_orders(&mut transaction, &found).await?;
        let removed = remove(&mut transaction, &found).await?;
        transaction.commit().await?;
        Ok(removed)
    }
}

pub(super) async fn find(
    connection: &mut Connection,
    key: &FullOrderId,
) -> Result<Option<OrderFacts>, DbError> {
    let sql = format!("SELECT {COLUMNS} FROM orders WHERE order_id = $1 AND merchant_code = $2");
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(&key.order_id)
        .bind(&key.merchant_code)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

pub(super) async fn add(connection: &mut Connection, order: &OrderFacts) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO orders (order_id, session_hash, created_at, amount, currency, merchant_code,
             items, customer, state, described_at, order_key_hash, label, pay_until, methods)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(&order.order_id)
    .bind(&order.session_hash)
    .bind(order.created_at.as_millis())
    .bind(order.amount.cast_signed())
    .bind(&order.currency)
    .bind(&order.merchant_code)
    .bind(serde_json::to_string(&order.items)?)
    .bind(serde_json::to_string(&order.customer)?)
    .bind(order.state.as_str())
    .bind(order.described_at.map(Timestamp::as_millis))
    .bind(&order.order_key_hash)
    .bind(&order.label)
    .bind(order.pay_until.map(Timestamp::as_millis))
    .bind(methods(order)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// The columns that [`read`] reads.
pub(super) const COLUMNS: &str = "order_id, session_hash, created_at, amount, currency,
    merchant_code, items, customer, state, paid_twice, described_at, order_key_hash, label,
    pay_until, unpaid_at, methods";

/// The text in the column `methods`.
pub(super) fn methods(order: &OrderFacts) -> Result<Option<String>, DbError> {
    let methods = order.methods.as_ref().map(serde_json::to_string);
    Ok(methods.transpose()?)
}

pub(super) fn read(row: &Row) -> Result<OrderFacts, DbError> {
    let state: String = row.try_get("state")?;
    let methods: Option<String> = row.try_get("methods")?;
    Ok(OrderFacts {
        order_id: row.try_get("order_id")?,
        label: row.try_get("label")?,
        session_hash: row.try_get("session_hash")?,
        created_at: instant(row, "created_at")?,
        amount: amount(row)?,
        currency: row.try_get("currency")?,
        merchant_code: row.try_get("merchant_code")?,
        items: serde_json::from_str(&row.try_get::<String, _>("items")?)?,
        customer: serde_json::from_str(&row.try_get::<String, _>("customer")?)?,
        state: if state == OrderState::Paid.as_str() {
            OrderState::Paid
        } else {
            OrderState::Open
        },
        paid_twice: flag(row, "paid_twice")?,
        described_at: optional_instant(row, "described_at")?,
        order_key_hash: row.try_get("order_key_hash")?,
        methods: methods.as_deref().map(serde_json::from_str).transpose()?,
        pay_until: optional_instant(row, "pay_until")?,
        unpaid_at: optional_instant(row, "unpaid_at")?,
    })
}

/// Writes the state that follows from the payments of an order.
pub(super) async fn save_state(
    connection: &mut Connection,
    order: &OrderFacts,
) -> Result<(), DbError> {
    sqlx::query(
        "UPDATE orders SET state = $1, paid_twice = $2, unpaid_at = $3
         WHERE order_id = $4 AND merchant_code = $5",
    )
    .bind(order.state.as_str())
    .bind(i64::from(order.paid_twice))
    .bind(order.unpaid_at.map(Timestamp::as_millis))
    .bind(&order.order_id)
    .bind(&order.merchant_code)
    .execute(connection)
    .await?;
    Ok(())
}

/// Orders that their shop still needs: they have a page, or an event about them is kept.
const NEEDED: &str = "(EXISTS (SELECT 1 FROM pay_links l
        WHERE l.order_id = orders.order_id AND l.merchant_code = orders.merchant_code)
    OR EXISTS (SELECT 1 FROM events e
        WHERE e.order_id = orders.order_id AND e.merchant_code = orders.merchant_code))";

/// The oldest orders without an operation that their shop does not need, except those with a running
/// attempt.
async fn abandoned(
    connection: &mut Connection,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<FullOrderId>, DbError> {
    let free = without_attempt(Engine::of(connection), 3);
    let sql = format!(
        "SELECT order_id, merchant_code FROM orders WHERE begun = 0 AND created_at < $1 AND {free} AND NOT {NEEDED}
             AND {REMOVABLE}
         ORDER BY created_at LIMIT $2"
    );
    let orders = sqlx::query(AssertSqlSafe(sql));
    let orders = orders.bind(before.as_millis()).bind(i64::from(limit));
    let orders = orders.bind(moment().steady.as_millis());
    let rows = orders.fetch_all(connection).await?;
    rows.iter().map(full_order_id).collect()
}

/// The orders among these that are still without an operation and without a running attempt.
async fn still_abandoned(
    connection: &mut Connection,
    orders: &[FullOrderId],
) -> Result<Vec<FullOrderId>, DbError> {
    let engine = Engine::of(connection);
    let (among, free) = (engine.pairs(1), without_attempt(engine, 2));
    let sql = format!(
        "SELECT order_id, merchant_code FROM orders
         WHERE (order_id, merchant_code) IN {among} AND begun = 0 AND {free} AND NOT {NEEDED}"
    );
    let orders = sqlx::query(AssertSqlSafe(sql)).bind(order_list(orders)?);
    let orders = orders.bind(moment().steady.as_millis());
    let rows = orders.fetch_all(connection).await?;
    rows.iter().map(full_order_id).collect()
}

/// True for an order without a running attempt, by the steady clock of this parameter.
fn without_attempt(engine: Engine, clock: u8) -> String {
    let steady = engine.steady(clock);
    format!(
        "NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.order_id = orders.order_id
             AND k.merchant_code = orders.merchant_code AND running_until > {steady})"
    )
}

async fn remove(connection: &mut Connection, orders: &[FullOrderId]) -> Result<u64, DbError> {
    let among = Engine::of(connection).pairs(1);
    let sql = format!("DELETE FROM orders WHERE (order_id, merchant_code) IN {among}");
    let removed = sqlx::query(AssertSqlSafe(sql))
        .bind(order_list(orders)?)
        .execute(connection)
        .await?;
    Ok(removed.rows_affected())
}
