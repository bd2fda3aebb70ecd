//! `pay_links`: the addresses of the server's own page, at which an order can be paid without a session. Of
//! an address only a hash is stored.

use super::columns::{full_order_id, instant, optional_instant};
use super::connections::Db;
use super::engine::{Connection, Row};
use super::error::DbError;
use super::lock::Lock;
use crate::clock::now;
use payment_model::Timestamp;
use payment_rules::order::FullOrderId;
use sqlx::{AssertSqlSafe, Row as _};

/// The newest link of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredPayLink {
    /// Counts the links of the order, from 1.
    pub(crate) generation: i64,
    pub(crate) handle_hash: String,
    /// Afterwards the link leads nowhere.
    pub(crate) readable_until: Timestamp,
    pub(crate) revoked_at: Option<Timestamp>,
}

impl Db {
    /// The newest link of an order.
    pub(crate) async fn pay_link(
        &self,
        order: &FullOrderId,
    ) -> Result<Option<StoredPayLink>, DbError> {
        let link = sqlx::query(
            "SELECT generation, handle_hash, readable_until, revoked_at FROM pay_links
             WHERE order_id = $1 AND merchant_code = $2 ORDER BY generation DESC LIMIT 1",
        );
        let link = link.bind(&order.order_id).bind(&order.merchant_code);
        let row = link.fetch_optional(&mut self.reader().await?).await?;
        row.as_ref().map(read).transpose()
    }

    /// Adds a link of an order; with `revoking`, the earlier ones are revoked. False, with nothing stored or
    /// revoked, if a concurrent request has added the link of this generation.
    pub(crate) async fn add_pay_link(
        &self,
        order: &FullOrderId,
        link: &StoredPayLink,
        revoking: bool,
    ) -> Result<bool, DbError> {
        let mut transaction = self.write(Lock::Order(order)).await?;
        let at = now().as_millis();
        let added = sqlx::query(
            "INSERT INTO pay_links (handle_hash, order_id, merchant_code, generation, created_at,
                 readable_until)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
        );
        let added = added.bind(&link.handle_hash);
        let added = added.bind(&order.order_id).bind(&order.merchant_code);
        let added = added.bind(link.generation).bind(at);
        let added = added.bind(link.readable_until.as_millis());
        let is_added = added.execute(&mut *transaction).await?.rows_affected() == 1;
        if is_added && revoking {
            let sql = format!("{REVOKE} AND generation < $4");
            let revoked = sqlx::query(AssertSqlSafe(sql)).bind(at);
            let revoked = revoked.bind(&order.order_id).bind(&order.merchant_code);
            let revoked = revoked.bind(link.generation);
            revoked.execute(&mut *transaction).await?;
            remove_sessions(&mut transaction, order).await?;
            self.note_changed_link(&mut transaction, order).await?;
        }
        transaction.commit().await?;
        Ok(is_added)
    }

    /// Revokes every link of an order.
    pub(crate) async fn revoke_pay_links(&self, order: &FullOrderId) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::Order(order)).await?;
        let revoked = sqlx::query(REVOKE).bind(now().as_millis());
        let revoked = revoked.bind(&order.order_id).bind(&order.merchant_code);
        revoked.execute(&mut *transaction).await?;
        remove_sessions(&mut transaction, order).await?;
        self.note_changed_link(&mut transaction, order).await?;
        transaction.commit().await
    }

    /// Removes some of the links that could be read until an instant. Payers' writes wait meanwhile.
    pub(crate) async fn remove_pay_links(
        &self,
        before: Timestamp,
        limit: u32,
    ) -> Result<(), DbError> {
        let old = sqlx::query(
            "DELETE FROM pay_links WHERE handle_hash IN
                 (SELECT handle_hash FROM pay_links WHERE readable_until < $1 LIMIT $2)",
        );
        let mut transaction = self.write(Lock::None).await?;
        let old = old.bind(before.as_millis()).bind(i64::from(limit));
        old.execute(&mut *transaction).await?;
        transaction.commit().await
    }

    /// The order of a link that can be read now.
    pub(crate) async fn order_of_pay_link(
        &self,
        handle_hash: &str,
    ) -> Result<Option<FullOrderId>, DbError> {
        order_of(&mut self.reader().await?, handle_hash).await
    }

    /// Changes the end of an order; false if the order has ended for good.
    pub(crate) async fn change_pay_until(
        &self,
        order: &FullOrderId,
        pay_until: Timestamp,
    ) -> Result<bool, DbError> {
        let mut transaction = self.write(Lock::Order(order)).await?;
        let changed = sqlx::query(
            "UPDATE orders SET pay_until = $1
             WHERE order_id = $2 AND merchant_code = $3 AND unpaid_at IS NULL",
        );
        let changed = changed.bind(pay_until.as_millis());
        let changed = changed.bind(&order.order_id).bind(&order.merchant_code);
        let changed = changed.execute(&mut *transaction).await?;
        self.note_changed_link(&mut transaction, order).await?;
        transaction.commit().await?;
        Ok(changed.rows_affected() == 1)
    }
}

async fn order_of(
    connection: &mut Connection,
    handle_hash: &str,
) -> Result<Option<FullOrderId>, DbError> {
    let order = sqlx::query(
        "SELECT order_id, merchant_code FROM pay_links
         WHERE handle_hash = $1 AND revoked_at IS NULL AND readable_until > $2",
    );
    let order = order.bind(handle_hash).bind(now().as_millis());
    let row = order.fetch_optional(connection).await?;
    row.as_ref().map(full_order_id).transpose()
}

/// True for a link that can be read now.
pub(super) async fn is_readable(
    connection: &mut Connection,
    handle_hash: &str,
) -> Result<bool, DbError> {
    Ok(order_of(connection, handle_hash).await?.is_some())
}

/// Removes the browsers that came by an address of the order's page, since the address has ended.
async fn remove_sessions(connection: &mut Connection, order: &FullOrderId) -> Result<(), DbError> {
    let removed = sqlx::query(
        "DELETE FROM order_sessions WHERE order_id = $1 AND merchant_code = $2 AND by_pay_link = 1",
    );
    let removed = removed.bind(&order.order_id).bind(&order.merchant_code);
    removed.execute(connection).await?;
    Ok(())
}

const REVOKE: &str = "UPDATE pay_links SET revoked_at = $1
     WHERE order_id = $2 AND merchant_code = $3 AND revoked_at IS NULL";

fn read(row: &Row) -> Result<StoredPayLink, DbError> {
    Ok(StoredPayLink {
        generation: row.try_get("generation")?,
        handle_hash: row.try_get("handle_hash")?,
        readable_until: instant(row, "readable_until")?,
        revoked_at: optional_instant(row, "revoked_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::StoredPayLink;
    use crate::clock::now;
    use crate::db::testing::{Place, of_shop};
    use crate::db::{GrantOutcome, Proof};
    use payment_rules::order::OrderFacts;
    use payment_rules::order::fixture::order;
    use std::time::Duration;

    #[tokio::test]
    async fn of_two_renewals_at_once_one_makes_a_link_and_neither_revokes_it() {
        let place = Place::new().await;
        let db = place.open().await;
        db.add_order(&order("order")).await.unwrap();
        let link = |generation: i64| StoredPayLink {
            generation,
            handle_hash: format!("hash {generation}"),
            readable_until: now().saturating_add(Duration::from_secs(60)),
            revoked_at: None,
        };
        assert!(
            db.add_pay_link(&of_shop("order"), &link(1), false)
                .await
                .unwrap()
        );
        assert!(
            db.add_pay_link(&of_shop("order"), &link(2), true)
                .await
                .unwrap()
        );
        assert!(
            !db.add_pay_link(&of_shop("order"), &link(2), true)
                .await
                .unwrap()
        );
        let newest = db.pay_link(&of_shop("order")).await.unwrap().unwrap();
        assert_eq!((newest.generation, newest.revoked_at), (2, None));
        assert_eq!(db.order_of_pay_link("hash 1").await.unwrap(), None);
        let found = db.order_of_pay_link("hash 2").await.unwrap();
        assert_eq!(found, Some(of_shop("order")));
    }

    #[tokio::test]
    async fn an_address_that_ended_lets_nobody_in_and_no_id_does() {
        let place = Place::new().await;
        let db = place.open().await;
        let told = OrderFacts {
            described_at: Some(now()),
            ..order("order")
        };
        db.add_order(&told).await.unwrap();
        let id = of_shop("order");
        let link = |generation: i64| StoredPayLink {
            generation,
            handle_hash: format!("hash {generation}"),
            readable_until: now().saturating_add(Duration::from_secs(60)),
            revoked_at: None,
        };
        let by = |generation: i64| Proof::PayLink {
            handle_hash: format!("hash {generation}"),
        };
        assert!(db.add_pay_link(&id, &link(1), false).await.unwrap());
        let granted = async |proof| db.grant_session(&told, "browser", proof).await.unwrap();
        assert_eq!(granted(Proof::Nothing).await, GrantOutcome::NoRight);
        assert_eq!(granted(by(1)).await, GrantOutcome::Granted);
        assert_eq!(granted(Proof::Nothing).await, GrantOutcome::Granted);
        assert!(db.add_pay_link(&id, &link(2), true).await.unwrap());
        // Requests that began before the renewal come to their end.
        assert_eq!(granted(Proof::Nothing).await, GrantOutcome::NoRight);
        assert_eq!(granted(by(1)).await, GrantOutcome::NoRight);
        // A proof of the shop outlasts every address, also of a browser that came by one.
        assert_eq!(granted(by(2)).await, GrantOutcome::Granted);
        assert_eq!(granted(Proof::OfShop).await, GrantOutcome::Granted);
        db.revoke_pay_links(&id).await.unwrap();
        assert!(db.session_may_access(&told, "browser").await.unwrap());
    }
}
