//! `closed_orders`: the orders that take no payment any more, because their shop closed them.

use super::connections::Db;
use super::error::DbError;
use super::lock::Lock;
use crate::clock::now;
use payment_rules::order::FullOrderId;

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
