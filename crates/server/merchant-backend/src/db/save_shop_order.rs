//! Saves an order that its shop describes.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::lock::Lock;
use super::orders::{COLUMNS, add, find, methods, read};
use crate::clock::now;
use payment_model::Timestamp;
use payment_rules::order::{OrderFacts, SaveOrder, SaveOrderOutcome, ShopOrder};
use sqlx::{AssertSqlSafe, Row as _};

impl Db {
    /// The outcome of saving a shop's order if nothing has to be written; `None` otherwise.
    pub(crate) async fn saved_shop_order(
        &self,
        order: &ShopOrder,
    ) -> Result<Option<SaveOrderOutcome>, DbError> {
        Ok(match decide(&mut self.reader().await?, order).await? {
            SaveOrder::Nothing(outcome) => Some(outcome),
            SaveOrder::Insert(_) | SaveOrder::Replace(_) => None,
        })
    }

    pub(crate) async fn save_shop_order(
        &self,
        order: &ShopOrder,
    ) -> Result<SaveOrderOutcome, DbError> {
        let mut transaction = self.write(Lock::NewOrder(&order.order.full_id())).await?;
        let outcome = match decide(&mut transaction, order).await? {
            SaveOrder::Nothing(outcome) => outcome,
            SaveOrder::Insert(facts) => {
                add(&mut transaction, &facts).await?;
                SaveOrderOutcome::Saved(facts)
            }
            SaveOrder::Replace(facts) => {
                replace(&mut transaction, &facts).await?;
                SaveOrderOutcome::Saved(facts)
            }
        };
        transaction.commit().await?;
        Ok(outcome)
    }

    /// Stores an order unless there is one of its id; returns the stored one.
    pub(crate) async fn insert_shop_order(&self, order: &ShopOrder) -> Result<OrderFacts, DbError> {
        let key = order.order.full_id();
        if let Some(stored) = self.order(&key).await? {
            return Ok(stored);
        }
        let mut transaction = self.write(Lock::NewOrder(&key)).await?;
        let stored = match find(&mut transaction, &key).await? {
            Some(stored) => stored,
            None => {
                let facts = order.new_facts();
                add(&mut transaction, &facts).await?;
                facts
            }
        };
        transaction.commit().await?;
        Ok(stored)
    }

    /// The orders with this id, each of another store, that have an operation; their facts are final.
    pub(crate) async fn begun_orders(&self, order_id: &str) -> Result<Vec<OrderFacts>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM orders WHERE order_id = $1 AND begun = 1");
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(order_id)
            .fetch_all(&mut self.reader().await?)
            .await?;
        rows.iter().map(read).collect()
    }
}

async fn decide(connection: &mut Connection, order: &ShopOrder) -> Result<SaveOrder, DbError> {
    let sql =
        format!("SELECT {COLUMNS}, begun FROM orders WHERE order_id = $1 AND merchant_code = $2");
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(&order.order.order_id)
        .bind(&order.order.merchant_code)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else {
        return Ok(order.save_over(None, false, now()));
    };
    let has_operations = row.try_get::<i64, _>("begun")? != 0;
    Ok(order.save_over(Some(&read(&row)?), has_operations, now()))
}

/// Writes everything that a shop describes over its row.
async fn replace(connection: &mut Connection, facts: &OrderFacts) -> Result<(), DbError> {
    sqlx::query(
        "UPDATE orders SET amount = $1, currency = $2, items = $3, customer = $4, described_at = $5,
             order_key_hash = $6, label = $7, pay_until = $8, methods = $9
         WHERE order_id = $10 AND merchant_code = $11",
    )
    .bind(facts.amount.cast_signed())
    .bind(&facts.currency)
    .bind(serde_json::to_string(&facts.items)?)
    .bind(serde_json::to_string(&facts.customer)?)
    .bind(facts.described_at.map(Timestamp::as_millis))
    .bind(&facts.order_key_hash)
    .bind(&facts.label)
    .bind(facts.pay_until.map(Timestamp::as_millis))
    .bind(methods(facts)?)
    .bind(&facts.order_id)
    .bind(&facts.merchant_code)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::SaveOrderOutcome;
    use crate::clock::instant;
    use crate::db::testing::{Place, of_shop};
    use crate::db::{BeginAttemptOutcome, GrantOutcome, Proof};
    use payment_rules::operation::fixture::record;
    use payment_rules::operation::{OperationKey, OperationRecord};
    use payment_rules::order::{OrderFacts, ShopOrder, fixture};
    use payment_rules::payment::BeginAttemptError;

    fn order(amount: u64, described_at: i64) -> ShopOrder {
        let order = OrderFacts {
            created_at: instant(described_at),
            amount,
            described_at: Some(instant(described_at)),
            ..fixture::order("order")
        };
        let since = instant(described_at);
        ShopOrder {
            order,
            since,
            time_to_pay: None,
        }
    }

    /// An operation that was drafted when the order cost so much.
    fn operation(amount: u64, number: &str) -> OperationRecord {
        OperationRecord {
            key: OperationKey::new("shop", number),
            callback_hash: number.to_owned(),
            amount,
            ..record()
        }
    }

    fn amount(told: &SaveOrderOutcome) -> Option<u64> {
        match told {
            SaveOrderOutcome::Saved(order) => Some(order.amount),
            SaveOrderOutcome::PriceFixed(_)
            | SaveOrderOutcome::Unclear
            | SaveOrderOutcome::NotAShopOrder => None,
        }
    }

    #[tokio::test]
    async fn the_newest_account_counts_and_the_row_keeps_its_age() {
        let place = Place::new().await;
        let db = place.open().await;
        for (told, kept) in [(order(5, 20), 5), (order(6, 30), 6), (order(7, 25), 6)] {
            let told = db.save_shop_order(&told).await.unwrap();
            assert_eq!(amount(&told), Some(kept));
        }
        // Two descriptions with the same `iat`: neither is newer.
        let unclear = db.save_shop_order(&order(8, 30)).await.unwrap();
        assert_eq!(unclear, SaveOrderOutcome::Unclear);
        let stored = db.order(&of_shop("order")).await.unwrap().unwrap();
        assert_eq!((stored.amount, stored.described_at), (6, Some(instant(30))));
        assert_eq!(stored.created_at, instant(20));
    }

    #[tokio::test]
    async fn an_operation_is_never_made_of_facts_that_were_replaced_meanwhile() {
        let place = Place::new().await;
        let db = place.open().await;
        db.save_shop_order(&order(500, 1)).await.unwrap();
        let drafted = operation(500, "1");
        db.save_shop_order(&order(600, 2)).await.unwrap();
        let reserved = db.put(&drafted).await.unwrap();
        let changed = BeginAttemptOutcome::Refused(BeginAttemptError::OrderChanged);
        assert_eq!(reserved, changed);
        let mut elsewhere = operation(600, "2");
        elsewhere.key = OperationKey::new("other", "2");
        assert_eq!(db.put(&elsewhere).await.unwrap(), changed);

        let reserved = db.put(&operation(600, "3")).await.unwrap();
        assert_eq!(reserved, BeginAttemptOutcome::Begun);
        let told = db.save_shop_order(&order(700, 3)).await.unwrap();
        assert!(matches!(told, SaveOrderOutcome::PriceFixed(kept) if kept.amount == 600));
        let mut respelled = order(600, 4);
        respelled.order.currency = "604".to_owned();
        let told = db.save_shop_order(&respelled).await.unwrap();
        assert_eq!(amount(&told), Some(600));
        let stored = db.begun_orders("order").await.unwrap().remove(0);
        assert_eq!(
            (stored.amount, stored.described_at),
            (600, Some(instant(2)))
        );
    }

    #[tokio::test]
    async fn known_facts_are_not_written_again() {
        let place = Place::new().await;
        let db = place.open().await;
        let account = order(500, 1);
        assert_eq!(db.saved_shop_order(&account).await.unwrap(), None);
        let told = db.save_shop_order(&account).await.unwrap();
        for n in 0..50 {
            db.grant_session(&account.order, &n.to_string(), Proof::OfShop)
                .await
                .unwrap();
        }
        let syncs = db.syncs();
        assert_eq!(db.saved_shop_order(&account).await.unwrap(), Some(told));
        let again = db.grant_session(&account.order, "7", Proof::OfShop).await;
        assert_eq!(again.unwrap(), GrantOutcome::Granted);
        let more = db
            .grant_session(&account.order, "more", Proof::OfShop)
            .await;
        assert_eq!(more.unwrap(), GrantOutcome::TooMany);
        assert_eq!(db.syncs(), syncs);
    }

    #[tokio::test]
    async fn an_order_of_the_program_is_not_told_anew() {
        let place = Place::new().await;
        let db = place.open().await;
        let mut registered = order(500, 1).order;
        registered.described_at = None;
        db.add_order(&registered).await.unwrap();
        assert_eq!(
            db.save_shop_order(&order(1, 2)).await.unwrap(),
            SaveOrderOutcome::NotAShopOrder
        );
        assert!(db.session_may_access(&registered, "hash").await.unwrap());
    }

    #[tokio::test]
    async fn fifty_browsers_of_an_order_are_known_and_a_further_one_is_not() {
        let place = Place::new().await;
        let db = place.open().await;
        let account = order(500, 1);
        db.save_shop_order(&account).await.unwrap();
        let told = account.order;
        assert!(!db.session_may_access(&told, "hash").await.unwrap());
        for n in 0..55 {
            for _ in 0..2 {
                let session = format!("{n:02}");
                let granted = db.grant_session(&told, &session, Proof::OfShop).await;
                let is_in = granted.unwrap() == GrantOutcome::Granted;
                assert_eq!(is_in, n < 50);
            }
        }
        let mut known = 0;
        for n in 0..55 {
            known += u32::from(
                db.session_may_access(&told, &format!("{n:02}"))
                    .await
                    .unwrap(),
            );
        }
        assert_eq!(known, 50);
        assert!(db.session_may_access(&told, "00").await.unwrap());
    }
}
