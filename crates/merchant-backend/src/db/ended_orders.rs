//! Orders that can be paid no more: each gets the event that it ended unpaid, once.

use super::columns::full_order_id;
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::load_order::{LoadBy, load};
use super::lock::Lock;
use super::restore_point::REMOVABLE;
use super::save_order::save;
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
