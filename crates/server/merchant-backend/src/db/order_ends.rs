//! Orders that can be paid no more: those that their shop closed (`closed_orders`), and the event that an order ended
//! unpaid, which each order gets once.

use super::columns::full_order_id;
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::load_order::{LoadBy, load};
use super::lock::Lock;
use super::restore_point::REMOVABLE;
use super::update_order::save;
use crate::clock::now;
use payment_model::Timestamp;
use payment_rules::order::FullOrderId;
use sqlx::AssertSqlSafe;
use std::time::Duration;

/// A token permits its holder to pay for a day. After this time an order that the server has not seen does not
/// come any more.
const UNSEEN_RETENTION: Duration = Duration::from_hours(48);

/// An order none of whose attempts can be paid or is in doubt, as far as its columns say. The rules decide.
const WITHOUT_ATTEMPT: &str = "orders.unpaid_at IS NULL AND orders.state = 'open'
    AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.order_id = orders.order_id
        AND o.merchant_code = orders.merchant_code AND o.may_be_paid = 1)";

/// An order after the one of these parameters.
const LATER: &str = "(orders.order_id, orders.merchant_code) > ($2, $3)";

impl Db {
    /// Orders whose time to pay has passed, or that their shop closed, and that may have ended unpaid; each
    /// once, those after this one.
    pub(crate) async fn orders_to_end(
        &self,
        after: &FullOrderId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<FullOrderId>, DbError> {
        let removable = REMOVABLE.replace("created_at", "orders.created_at");
        let sql = format!(
            "SELECT orders.order_id, orders.merchant_code FROM orders
                 WHERE orders.pay_until <= $1 AND {LATER} AND {WITHOUT_ATTEMPT} AND {removable}
             UNION SELECT orders.order_id, orders.merchant_code FROM closed_orders closed
                 JOIN orders ON orders.order_id = closed.order_id
                     AND orders.merchant_code = closed.merchant_code
                 WHERE closed.concluded = 0 AND {LATER} AND {WITHOUT_ATTEMPT} AND {removable}
             ORDER BY order_id, merchant_code LIMIT $4"
        );
        let orders = sqlx::query(AssertSqlSafe(sql)).bind(now.as_millis());
        let orders = orders.bind(&after.order_id).bind(&after.merchant_code);
        let orders = orders.bind(i64::from(limit));
        let rows = orders.fetch_all(&mut self.reader().await?).await?;
        rows.iter().map(full_order_id).collect()
    }

    /// Ends an order unpaid, if the rules say so; true if it ended now.
    pub(crate) async fn end_order_unpaid(
        &self,
        order: &FullOrderId,
        now: Timestamp,
    ) -> Result<bool, DbError> {
        let mut transaction = self.write(Lock::Order(order)).await?;
        let Some(before) = load(&mut transaction, LoadBy::Order(order)).await? else {
            return Ok(false);
        };
        let mut order = before.clone();
        order.end_unpaid(now);
        let has_ended = before.facts.unpaid_at != order.facts.unpaid_at;
        if has_ended {
            save(&mut transaction, &before, &order, now).await?;
            transaction.commit().await?;
        }
        Ok(has_ended)
    }

    /// Notes which closed orders need no further look.
    pub(crate) async fn conclude_closed_orders(&self, now: Timestamp) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::None).await?;
        conclude(&mut transaction, now).await?;
        transaction.commit().await
    }
}

async fn conclude(connection: &mut Connection, now: Timestamp) -> Result<(), DbError> {
    let concluded = sqlx::query(
        "UPDATE closed_orders SET concluded = 1 WHERE concluded = 0
             AND (EXISTS (SELECT 1 FROM orders WHERE orders.order_id = closed_orders.order_id
                     AND orders.merchant_code = closed_orders.merchant_code
                     AND orders.unpaid_at IS NOT NULL)
                 OR (closed_at < $1 AND NOT EXISTS (SELECT 1 FROM orders
                     WHERE orders.order_id = closed_orders.order_id
                         AND orders.merchant_code = closed_orders.merchant_code)))",
    );
    let before = now.saturating_sub(UNSEEN_RETENTION);
    let concluded = concluded.bind(before.as_millis());
    concluded.execute(connection).await?;
    Ok(())
}

impl Db {
    /// Closes an order, which need not exist yet. When this returns, no attempt to pay it begins any
    /// more: the lock keeps out attempts that have read the order and are not on disk.
    pub(crate) async fn close_order(
        &self,
        order: &FullOrderId,
        closed_by: &str,
    ) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::NewOrder(order)).await?;
        sqlx::query(
            "INSERT INTO closed_orders (merchant_code, order_id, closed_by, closed_at)
             VALUES ($1, $2, $3, $4) ON CONFLICT (merchant_code, order_id) DO NOTHING",
        )
        .bind(&order.merchant_code)
        .bind(&order.order_id)
        .bind(closed_by)
        .bind(now().as_millis())
        .execute(&mut *transaction)
        .await?;
        self.note_changed_link(&mut transaction, order).await?;
        transaction.commit().await
    }

    pub(crate) async fn is_closed(&self, order: &FullOrderId) -> Result<bool, DbError> {
        let closed = sqlx::query_scalar::<_, i64>(
            "SELECT count(*) FROM closed_orders WHERE merchant_code = $1 AND order_id = $2",
        );
        let closed = closed.bind(&order.merchant_code).bind(&order.order_id);
        Ok(closed.fetch_one(&mut self.reader().await?).await? > 0)
    }
}
