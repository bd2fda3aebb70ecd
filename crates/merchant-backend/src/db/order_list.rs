//! The list of orders that programs of the shop read from a cursor on.

use super::connections::Db;
use super::error::DbError;
use super::list_positions::{ORDERS, last};
use super::load_order::{LoadBy, load};
use payment_rules::order::FullOrderId;
use payment_rules::payment::Order;
use sqlx::Row as _;

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
}
