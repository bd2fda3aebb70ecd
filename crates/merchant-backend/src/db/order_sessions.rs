//! `order_sessions`: the browsers that showed a right to pay an order of a shop.

use super::connections::Db;
use super::engine::{Connection, Engine, list};
use super::error::DbError;
use super::scope::Scope;
use crate::clock::now;
use payment_rules::order::OrderFacts;
use sqlx::AssertSqlSafe;

/// The most browsers of one order, so that one token cannot fill the disk. A further one
/// replaces none, or a stranger with the token could push the payer out of the payment.
const MOST: i64 = 50;

impl Db {
    /// Lets a browser read and cancel the payment of an order, since it showed its right to pay it;
    /// `false` when too many others did before.
    pub(crate) async fn let_session(
        &self,
        order: &OrderFacts,
        session: &str,
    ) -> Result<bool, DbError> {
        if self.lets_session(order, session).await? {
            return Ok(true);
        }
        if browsers(&mut *self.reader().await?, order).await? >= MOST {
            return Ok(false);
        }
        let mut transaction = self.write(Scope::Order(&order.order_id)).await?;
        // Others may have come meanwhile.
        let has_room = browsers(&mut transaction, order).await? < MOST;
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

    /// True when the order belongs to the session, or the session showed a right to pay it.
    pub(crate) async fn lets_session(
        &self,
        order: &OrderFacts,
        session: &str,
    ) -> Result<bool, DbError> {
        if order.told_at.is_none() {
            return Ok(order.session_hash == session);
        }
        let found = sqlx::query_scalar::<_, i64>(
            "SELECT count(*) FROM order_sessions WHERE order_id = $1 AND session_hash = $2",
        );
        let found = found.bind(&order.order_id).bind(session);
        Ok(found.fetch_one(&mut *self.reader().await?).await? > 0)
    }
}

async fn browsers(connection: &mut Connection, order: &OrderFacts) -> Result<i64, DbError> {
    let count = sqlx::query_scalar("SELECT count(*) FROM order_sessions WHERE order_id = $1");
    Ok(count.bind(&order.order_id).fetch_one(connection).await?)
}

/// Removes the browsers of some orders.
pub(super) async fn remove_of_orders(
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
