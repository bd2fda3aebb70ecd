//! `orders` and `order_sessions`: orders with their state, and the browsers that may pay them.

use super::columns::{amount, flag, instant, optional_instant};
use super::connections::Db;
use super::engine::{Connection, Engine, Row, list};
use super::error::DbError;
use super::idempotency_keys;
use super::lock::Lock;
use super::restore_point::REMOVABLE;
use crate::clock::{moment, now};
use payment_model::Timestamp;
use payment_rules::order::{OrderFacts, OrderState};
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

    pub(crate) async fn order(&self, order_id: &str) -> Result<Option<OrderFacts>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM orders WHERE order_id = $1");
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(order_id)
            .fetch_optional(&mut self.reader().await?)
            .await?;
        row.as_ref().map(read).transpose()
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
        remove_sessions(&mut transaction, &found).await?;
        let removed = remove(&mut transaction, &found).await?;
        transaction.commit().await?;
        Ok(removed)
    }
}

pub(super) async fn add(connection: &mut Connection, order: &OrderFacts) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO orders (order_id, session_hash, created_at, amount, currency, merchant_code,
             items, customer, state, told_at, order_key_hash, label, pay_until)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
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
    .bind(order.told_at.map(Timestamp::as_millis))
    .bind(&order.order_key_hash)
    .bind(&order.label)
    .bind(order.pay_until.map(Timestamp::as_millis))
    .execute(connection)
    .await?;
    Ok(())
}

/// The columns that [`read`] reads.
pub(super) const COLUMNS: &str = "order_id, session_hash, created_at, amount, currency,
    merchant_code, items, customer, state, paid_twice, told_at, order_key_hash, label,
    pay_until, unpaid_at";

pub(super) fn read(row: &Row) -> Result<OrderFacts, DbError> {
    let state: String = row.try_get("state")?;
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
        told_at: optional_instant(row, "told_at")?,
        order_key_hash: row.try_get("order_key_hash")?,
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
        "UPDATE orders SET state = $1, paid_twice = $2, unpaid_at = $3 WHERE order_id = $4",
    )
    .bind(order.state.as_str())
    .bind(i64::from(order.paid_twice))
    .bind(order.unpaid_at.map(Timestamp::as_millis))
    .bind(&order.order_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Orders that their shop still needs: they have a page, or an event about them is kept.
const NEEDED: &str = "(EXISTS (SELECT 1 FROM pay_links l WHERE l.order_id = orders.order_id)
    OR EXISTS (SELECT 1 FROM events e WHERE e.order_id = orders.order_id))";

/// The oldest orders without an operation that their shop does not need, except those with a running
/// attempt.
async fn abandoned(
    connection: &mut Connection,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<String>, DbError> {
    let free = without_attempt(Engine::of(connection), 3);
    let sql = format!(
        "SELECT order_id FROM orders WHERE begun = 0 AND created_at < $1 AND {free} AND NOT {NEEDED}
             AND {REMOVABLE}
         ORDER BY created_at LIMIT $2"
    );
    let orders = sqlx::query_scalar(AssertSqlSafe(sql));
    let orders = orders.bind(before.as_millis()).bind(i64::from(limit));
    let orders = orders.bind(moment().steady.as_millis());
    Ok(orders.fetch_all(connection).await?)
}

/// The orders among these that are still without an operation and without a running attempt.
async fn still_abandoned(
    connection: &mut Connection,
    orders: &[String],
) -> Result<Vec<String>, DbError> {
    let engine = Engine::of(connection);
    let (among, free) = (engine.texts(1), without_attempt(engine, 2));
    let sql = format!(
        "SELECT order_id FROM orders WHERE order_id IN {among} AND begun = 0 AND {free} AND NOT {NEEDED}"
    );
    let orders = sqlx::query_scalar(AssertSqlSafe(sql)).bind(list(orders)?);
    let orders = orders.bind(moment().steady.as_millis());
    Ok(orders.fetch_all(connection).await?)
}

/// True for an order without a running attempt, by the steady clock of this parameter.
fn without_attempt(engine: Engine, clock: u8) -> String {
    let steady = engine.steady(clock);
    format!(
        "NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.order_id = orders.order_id
             AND running_until > {steady})"
    )
}

async fn remove(connection: &mut Connection, orders: &[String]) -> Result<u64, DbError> {
    let texts = Engine::of(connection).texts(1);
    let sql = format!("DELETE FROM orders WHERE order_id IN {texts}");
    let removed = sqlx::query(AssertSqlSafe(sql))
        .bind(list(orders)?)
        .execute(connection)
        .await?;
    Ok(removed.rows_affected())
}

/// The most browsers of one order, so that one token cannot fill the disk. A further browser is refused
/// and replaces none, or a stranger with the token could lock the payer out.
const MAX_SESSIONS_PER_ORDER: i64 = 50;

impl Db {
    /// Grants a browser access to the payment of an order, since it showed its right to pay it; `false` when
    /// [`MAX_SESSIONS_PER_ORDER`] browsers have access already.
    pub(crate) async fn grant_session(
        &self,
        order: &OrderFacts,
        session: &str,
    ) -> Result<bool, DbError> {
        if self.session_may_access(order, session).await? {
            return Ok(true);
        }
        if session_count(&mut self.reader().await?, order).await? >= MAX_SESSIONS_PER_ORDER {
            return Ok(false);
        }
        let mut transaction = self.write(Lock::Order(&order.order_id)).await?;
        // Counted again under the lock.
        let has_room = session_count(&mut transaction, order).await? < MAX_SESSIONS_PER_ORDER;
        if has_room {
            sqlx::query(
                "INSERT INTO order_sessions (order_id, session_hash, created_at)
                 VALUES ($1, $2, $3) ON CONFLICT (order_id, session_hash) DO NOTHING",
            )
            .bind(&order.order_id)
            .bind(session)
            .bind(now().as_millis())
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(has_room)
    }

    /// True when the order was registered for the session, or the session showed a right to pay it.
    pub(crate) async fn session_may_access(
        &self,
        order: &OrderFacts,
        session: &str,
    ) -> Result<bool, DbError> {
        if order.told_at.is_none() && order.session_hash == session {
            return Ok(true);
        }
        let found = sqlx::query_scalar::<_, i64>(
            "SELECT count(*) FROM order_sessions WHERE order_id = $1 AND session_hash = $2",
        );
        let found = found.bind(&order.order_id).bind(session);
        Ok(found.fetch_one(&mut self.reader().await?).await? > 0)
    }
}

async fn session_count(connection: &mut Connection, order: &OrderFacts) -> Result<i64, DbError> {
    let count = sqlx::query_scalar("SELECT count(*) FROM order_sessions WHERE order_id = $1");
    Ok(count.bind(&order.order_id).fetch_one(connection).await?)
}

/// Removes the browsers of some orders.
pub(super) async fn remove_sessions(
    connection: &mut Connection,
    orders: &[String],
) -> Result<(), DbError> {
    let texts = Engine::of(connection).texts(1);
    let sql = format!("DELETE FROM order_sessions WHERE order_id IN {texts}");
    sqlx::query(AssertSqlSafe(sql))
        .bind(list(orders)?)
        .execute(connection)
        .await?;
    Ok(())
}
