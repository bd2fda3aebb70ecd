//! Keeps the facts of an order that its shop told.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::orders::{add, read};
use crate::domain::order::Order;
use sqlx::Row as _;

/// The result of keeping what a shop told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    /// The order as it is kept: with these facts, or with newer ones.
    Kept(Box<Order>),
    /// An operation was made of other facts, which are older than these. They stay.
    Frozen,
    /// The merchant's program registered an order of this id.
    Registered,
}

impl Db {
    /// Keeps an order as its shop told it. Of several accounts the newest counts until there is an
    /// operation; then nothing changes any more.
    pub(crate) async fn tell_order(&self, told: &Order) -> Result<Told, DbError> {
        let mut transaction = self.write().await?;
        let kept = tell(&mut transaction, told).await?;
        transaction.commit().await?;
        Ok(kept)
    }

    /// An order that has an operation; its facts are final.
    pub(crate) async fn begun_order(&self, order_id: &str) -> Result<Option<Order>, DbError> {
        let row = sqlx::query("SELECT * FROM orders WHERE order_id = $1 AND begun = 1")
            .bind(order_id)
            .fetch_optional(&mut *self.reader().await?)
            .await?;
        row.as_ref().map(read).transpose()
    }
}

async fn tell(connection: &mut Connection, told: &Order) -> Result<Told, DbError> {
    let row = sqlx::query("SELECT * FROM orders WHERE order_id = $1")
        .bind(&told.order_id)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else {
        add(connection, told).await?;
        return Ok(Told::Kept(Box::new(told.clone())));
    };
    let kept = read(&row)?;
    if kept.told_at.is_none() {
        return Ok(Told::Registered);
    }
    let is_newer = kept.told_at < told.told_at;
    if !is_newer {
        return Ok(Told::Kept(Box::new(kept)));
    }
    if row.try_get::<i64, _>("begun")? != 0 {
        let same = (kept.amount, &kept.currency, &kept.merchant_code)
            == (told.amount, &told.currency, &told.merchant_code);
        return Ok(if same {
            Told::Kept(Box::new(kept))
        } else {
            Told::Frozen
        });
    }
    sqlx::query(
        "UPDATE orders SET amount = $1, currency = $2, merchant_code = $3, items = $4,
             customer = $5, told_at = $6, order_key_hash = $7 WHERE order_id = $8",
    )
    .bind(told.amount.cast_signed())
    .bind(&told.currency)
    .bind(&told.merchant_code)
    .bind(serde_json::to_string(&told.items)?)
    .bind(serde_json::to_string(&told.customer)?)
    .bind(told.told_at.map(payment_model::Timestamp::as_millis))
    .bind(&told.order_key_hash)
    .bind(&told.order_id)
    .execute(connection)
    .await?;
    Ok(Told::Kept(Box::new(Order {
        created_at: kept.created_at,
        ..told.clone()
    })))
}
