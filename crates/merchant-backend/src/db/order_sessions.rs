//! `order_sessions`: the browsers that may read and cancel the payment of an order.

use super::columns::order_list;
use super::connections::Db;
use super::engine::{Connection, Engine};
use super::error::DbError;
use super::lock::Lock;
use crate::clock::now;
use payment_rules::order::{FullOrderId, OrderFacts};
use sqlx::AssertSqlSafe;

/// The most browsers of one order that showed the same kind of proof, so that no proof fills the disk.
const MAX_SESSIONS_PER_PROOF: i64 = 50;

/// What a browser showed to be let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// A token or a key of the shop. A further browser is refused and replaces none, or a stranger with the token
    /// could lock the payer out.
    OfShop,
    /// The address of the order's page. A further browser replaces the oldest one, which can show the address again.
    /// The end of the address ends what it gave.
    PayLink,
}

impl Db {
    /// Grants a browser access to the payment of an order, since it showed its right to pay it; `false` when
    /// [`MAX_SESSIONS_PER_PROOF`] browsers with a proof of the shop have access already.
    pub(crate) async fn grant_session(
        &self,
        order: &OrderFacts,
        session: &str,
        proof: Proof,
    ) -> Result<bool, DbError> {
        if self.session_may_access(order, session).await? {
            return Ok(true);
        }
        let is_full = async |connection: &mut Connection| {
            let count = session_count(connection, order, proof).await?;
            Ok::<_, DbError>(count >= MAX_SESSIONS_PER_PROOF)
        };
        if proof == Proof::OfShop && is_full(&mut self.reader().await?).await? {
            return Ok(false);
        }
        let mut transaction = self.write(Lock::Order(&order.full_id())).await?;
        // Counted again under the lock.
        if is_full(&mut transaction).await? {
            if proof == Proof::OfShop {
                return Ok(false);
            }
            remove_oldest(&mut transaction, order).await?;
        }
        let granted = sqlx::query(
            "INSERT INTO order_sessions (order_id, merchant_code, session_hash, created_at, by_pay_link)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (order_id, merchant_code, session_hash) DO NOTHING",
        );
        let granted = granted.bind(&order.order_id).bind(&order.merchant_code);
        let granted = granted.bind(session).bind(now().as_millis());
        let granted = granted.bind(i64::from(proof == Proof::PayLink));
        granted.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(true)
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
            "SELECT count(*) FROM order_sessions
             WHERE order_id = $1 AND merchant_code = $2 AND session_hash = $3",
        );
        let found = found.bind(&order.order_id).bind(&order.merchant_code);
        let found = found.bind(session);
        Ok(found.fetch_one(&mut self.reader().await?).await? > 0)
    }
}

async fn session_count(
    connection: &mut Connection,
    order: &OrderFacts,
    proof: Proof,
) -> Result<i64, DbError> {
    let count = sqlx::query_scalar(
        "SELECT count(*) FROM order_sessions
         WHERE order_id = $1 AND merchant_code = $2 AND by_pay_link = $3",
    );
    let count = count.bind(&order.order_id).bind(&order.merchant_code);
    let count = count.bind(i64::from(proof == Proof::PayLink));
    Ok(count.fetch_one(connection).await?)
}

/// Removes the oldest browser that came by the address of the page.
async fn remove_oldest(connection: &mut Connection, order: &OrderFacts) -> Result<(), DbError> {
    let removed = sqlx::query(
        "DELETE FROM order_sessions WHERE order_id = $1 AND merchant_code = $2 AND session_hash =
             (SELECT session_hash FROM order_sessions
              WHERE order_id = $1 AND merchant_code = $2 AND by_pay_link = 1
              ORDER BY created_at LIMIT 1)",
    );
    let removed = removed.bind(&order.order_id).bind(&order.merchant_code);
    removed.execute(connection).await?;
    Ok(())
}

/// Removes the browsers that came by an address of the order's page, since the address has ended.
pub(super) async fn remove_by_pay_link(
    connection: &mut Connection,
    order: &FullOrderId,
) -> Result<(), DbError> {
    let removed = sqlx::query(
        "DELETE FROM order_sessions WHERE order_id = $1 AND merchant_code = $2 AND by_pay_link = 1",
    );
    let removed = removed.bind(&order.order_id).bind(&order.merchant_code);
    removed.execute(connection).await?;
    Ok(())
}

/// Removes the browsers of some orders.
pub(super) async fn remove_of_orders(
    connection: &mut Connection,
    orders: &[FullOrderId],
) -> Result<(), DbError> {
    let among = Engine::of(connection).pairs(1);
    let sql = format!("DELETE FROM order_sessions WHERE (order_id, merchant_code) IN {among}");
    let removed = sqlx::query(AssertSqlSafe(sql)).bind(order_list(orders)?);
    removed.execute(connection).await?;
    Ok(())
}
