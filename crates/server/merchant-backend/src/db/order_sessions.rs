//! `order_sessions`: the browsers that may read and cancel the payment of an order.

use super::columns::order_list;
use super::connections::Db;
use super::engine::{Connection, Engine};
use super::error::DbError;
use super::lock::Lock;
use super::pay_links;
use crate::clock::now;
use payment_rules::order::{FullOrderId, OrderFacts};
use sqlx::AssertSqlSafe;

/// The most browsers of one order that showed the same kind of proof, so that no proof fills the disk.
const MAX_SESSIONS_PER_PROOF: i64 = 50;

/// What a browser showed to be let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Nothing: it goes on only with what it was granted before.
    Nothing,
    /// A token or a key of the shop. A further browser is refused and replaces none, or a stranger with the token
    /// could lock the payer out.
    OfShop,
    /// The address of the order's page, by the hash of its handle. A further browser replaces the oldest one, which
    /// can show the address again. To renew or revoke the address removes the sessions that came by it.
    PayLink { handle_hash: String },
}

/// What became of the request of a browser to be let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GrantOutcome {
    Granted,
    /// [`MAX_SESSIONS_PER_PROOF`] browsers with a proof of the shop have access already.
    TooMany,
    /// It showed nothing, or an address that ended meanwhile.
    NoRight,
}

impl Db {
    /// Grants a browser access to the payment of an order, since it showed its right to pay it.
    pub(crate) async fn grant_session(
        &self,
        order: &OrderFacts,
        session: &str,
        proof: Proof,
    ) -> Result<GrantOutcome, DbError> {
        let came_by_pay_link = match self.access_of(order, session).await? {
            Some(Access::ByPayLink) if proof == Proof::OfShop => true,
            Some(_) => return Ok(GrantOutcome::Granted),
            None if proof == Proof::Nothing => return Ok(GrantOutcome::NoRight),
            None => false,
        };
        let by_pay_link = proof != Proof::OfShop;
        let is_full = async |connection: &mut Connection| {
            let count = session_count(connection, order, by_pay_link).await?;
            Ok::<_, DbError>(count >= MAX_SESSIONS_PER_PROOF)
        };
        if !by_pay_link && is_full(&mut self.reader().await?).await? {
            return Ok(match came_by_pay_link {
                true => GrantOutcome::Granted,
                false => GrantOutcome::TooMany,
            });
        }
        let mut transaction = self.write(Lock::Order(&order.full_id())).await?;
        // A renewal holds the same lock, so that nothing is granted for an address that it ended.
        if let Proof::PayLink { handle_hash } = &proof
            && !pay_links::is_readable(&mut transaction, handle_hash).await?
        {
            return Ok(GrantOutcome::NoRight);
        }
        // Counted again under the lock.
        if is_full(&mut transaction).await? {
            if !by_pay_link {
                return Ok(GrantOutcome::TooMany);
            }
            remove_oldest(&mut transaction, order).await?;
        }
        let granted = sqlx::query(
            "INSERT INTO order_sessions (order_id, merchant_code, session_hash, created_at, by_pay_link)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (order_id, merchant_code, session_hash)
                 DO UPDATE SET by_pay_link = excluded.by_pay_link",
        );
        let granted = granted.bind(&order.order_id).bind(&order.merchant_code);
        let granted = granted.bind(session).bind(now().as_millis());
        let granted = granted.bind(i64::from(by_pay_link));
        granted.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(GrantOutcome::Granted)
    }

    /// True when the order was registered for the session, or the session showed a right to pay it.
    pub(crate) async fn session_may_access(
        &self,
        order: &OrderFacts,
        session: &str,
    ) -> Result<bool, DbError> {
        Ok(self.access_of(order, session).await?.is_some())
    }

    async fn access_of(
        &self,
        order: &OrderFacts,
        session: &str,
    ) -> Result<Option<Access>, DbError> {
        if order.described_at.is_none() && order.session_hash == session {
            return Ok(Some(Access::Lasting));
        }
        let by_pay_link = sqlx::query_scalar::<_, i64>(
            "SELECT by_pay_link FROM order_sessions
             WHERE order_id = $1 AND merchant_code = $2 AND session_hash = $3",
        );
        let by_pay_link = by_pay_link.bind(&order.order_id).bind(&order.merchant_code);
        let by_pay_link = by_pay_link.bind(session);
        let by_pay_link = by_pay_link
            .fetch_optional(&mut self.reader().await?)
            .await?;
        Ok(by_pay_link.map(|by_pay_link| match by_pay_link {
            0 => Access::Lasting,
            _ => Access::ByPayLink,
        }))
    }
}

/// Why a session may read and cancel the payment of an order.
enum Access {
    /// The order was registered for it, or it showed a proof of the shop.
    Lasting,
    ByPayLink,
}

async fn session_count(
    connection: &mut Connection,
    order: &OrderFacts,
    by_pay_link: bool,
) -> Result<i64, DbError> {
    let count = sqlx::query_scalar(
        "SELECT count(*) FROM order_sessions
         WHERE order_id = $1 AND merchant_code = $2 AND by_pay_link = $3",
    );
    let count = count.bind(&order.order_id).bind(&order.merchant_code);
    let count = count.bind(i64::from(by_pay_link));
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
