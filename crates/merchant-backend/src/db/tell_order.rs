//! Keeps the facts of an order that its shop told.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::orders::{COLUMNS, add, read};
use super::scope::Scope;
use crate::clock::now;
use payment_model::Timestamp;
use payment_rules::order::{Account, OrderFacts, Standing};
use sqlx::{AssertSqlSafe, Row as _};

/// The result of keeping what a shop told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    /// The order as it is kept: with these facts, or with newer ones.
    Kept(Box<OrderFacts>),
    /// An operation was made of other facts, which are older than these. They stay.
    Frozen(Box<OrderFacts>),
    /// The account has other facts than the stored ones, and which are newer is unknown.
    Unclear,
    /// The merchant's program registered an order of this id.
    Registered,
}

/// What is to be done with the account of a shop.
enum Weighed {
    /// Nothing.
    Known(Told),
    /// It is the first one of its order.
    First,
    /// It replaces the facts of this order.
    Newer(Box<OrderFacts>),
}

impl Db {
    /// What a shop's account of an order comes to, if nothing has to be written for it.
    pub(crate) async fn known_order(&self, told: &Account) -> Result<Option<Told>, DbError> {
        Ok(match weigh(&mut *self.reader().await?, told).await? {
            Weighed::Known(known) => Some(known),
            Weighed::First | Weighed::Newer(_) => None,
        })
    }

    /// Keeps an order as its shop told it. Of several accounts the newest counts until there is an
    /// operation; then nothing changes any more.
    pub(crate) async fn tell_order(&self, told: &Account) -> Result<Told, DbError> {
        let mut transaction = self.write(Scope::NewOrder(&told.order.order_id)).await?;
        let kept = tell(&mut transaction, told).await?;
        transaction.commit().await?;
        Ok(kept)
    }

    /// An order that has an operation; its facts are final.
    pub(crate) async fn begun_order(&self, order_id: &str) -> Result<Option<OrderFacts>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM orders WHERE order_id = $1 AND begun = 1");
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(order_id)
            .fetch_optional(&mut *self.reader().await?)
            .await?;
        row.as_ref().map(read).transpose()
    }
}

async fn weigh(connection: &mut Connection, told: &Account) -> Result<Weighed, DbError> {
    let sql = format!("SELECT {COLUMNS}, begun FROM orders WHERE order_id = $1");
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(&told.order.order_id)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else {
        return Ok(Weighed::First);
    };
    let kept = Box::new(read(&row)?);
    if kept.told_at.is_none() {
        return Ok(Weighed::Known(Told::Registered));
    }
    Ok(match told.standing(&kept, now()) {
        Standing::Unclear => Weighed::Known(Told::Unclear),
        Standing::Kept => Weighed::Known(Told::Kept(kept)),
        Standing::Newer if row.try_get::<i64, _>("begun")? == 0 => Weighed::Newer(kept),
        Standing::Newer if told.order.has_facts_of(&kept) => Weighed::Known(Told::Kept(kept)),
        Standing::Newer => Weighed::Known(Told::Frozen(kept)),
    })
}

async fn tell(connection: &mut Connection, account: &Account) -> Result<Told, DbError> {
    let told = &account.order;
    let kept = match weigh(&mut *connection, account).await? {
        Weighed::Known(known) => return Ok(known),
        Weighed::First => {
            add(connection, told).await?;
            return Ok(Told::Kept(Box::new(told.clone())));
        }
        Weighed::Newer(kept) => kept,
    };
    sqlx::query(
        "UPDATE orders SET amount = $1, currency = $2, merchant_code = $3, items = $4,
             customer = $5, told_at = $6, order_key_hash = $7, label = $8 WHERE order_id = $9",
    )
    .bind(told.amount.cast_signed())
    .bind(&told.currency)
    .bind(&told.merchant_code)
    .bind(serde_json::to_string(&told.items)?)
    .bind(serde_json::to_string(&told.customer)?)
    .bind(told.told_at.map(Timestamp::as_millis))
    .bind(&told.order_key_hash)
    .bind(&told.label)
    .bind(&told.order_id)
    .execute(connection)
    .await?;
    Ok(Told::Kept(Box::new(OrderFacts {
        created_at: kept.created_at,
        ..told.clone()
    })))
}

#[cfg(test)]
mod tests {
    use super::Told;
    use crate::clock::instant;
    use crate::db::Reservation;
    use crate::db::testing::Place;
    use payment_rules::operation::fixture::record;
    use payment_rules::operation::{OperationKey, OperationRecord};
    use payment_rules::order::{Account, OrderFacts, fixture};

    fn order(amount: u64, told_at: i64) -> Account {
        let order = OrderFacts {
            created_at: instant(told_at),
            amount,
            told_at: Some(instant(told_at)),
            ..fixture::order("order")
        };
        let since = instant(told_at);
        Account { order, since }
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

    fn amount(told: &Told) -> Option<u64> {
        match told {
            Told::Kept(order) => Some(order.amount),
            Told::Frozen(_) | Told::Unclear | Told::Registered => None,
        }
    }

    #[tokio::test]
    async fn the_newest_account_counts_and_the_row_keeps_its_age() {
        let place = Place::new().await;
        let db = place.open().await;
        for (told, kept) in [(order(5, 20), 5), (order(6, 30), 6), (order(7, 25), 6)] {
            let told = db.tell_order(&told).await.unwrap();
            assert_eq!(amount(&told), Some(kept));
        }
        // Of two accounts of one time neither is the newer one.
        let unclear = db.tell_order(&order(8, 30)).await.unwrap();
        assert_eq!(unclear, Told::Unclear);
        let stored = db.order("order").await.unwrap().unwrap();
        assert_eq!((stored.amount, stored.told_at), (6, Some(instant(30))));
        assert_eq!(stored.created_at, instant(20));
    }

    #[tokio::test]
    async fn an_operation_is_never_made_of_facts_that_were_replaced_meanwhile() {
        let place = Place::new().await;
        let db = place.open().await;
        db.tell_order(&order(500, 1)).await.unwrap();
        let drafted = operation(500, "1");
        db.tell_order(&order(600, 2)).await.unwrap();
        let reserved = db.put(&drafted).await.unwrap();
        assert_eq!(reserved, Reservation::OrderChanged);
        let mut elsewhere = operation(600, "2");
        elsewhere.key = OperationKey::new("other", "2");
        assert_eq!(db.put(&elsewhere).await.unwrap(), Reservation::OrderChanged);

        let reserved = db.put(&operation(600, "3")).await.unwrap();
        assert_eq!(reserved, Reservation::Reserved);
        let told = db.tell_order(&order(700, 3)).await.unwrap();
        assert!(matches!(told, Told::Frozen(kept) if kept.amount == 600));
        let mut respelled = order(600, 4);
        respelled.order.currency = "604".to_owned();
        let told = db.tell_order(&respelled).await.unwrap();
        assert_eq!(amount(&told), Some(600));
        let stored = db.begun_order("order").await.unwrap().unwrap();
        assert_eq!((stored.amount, stored.told_at), (600, Some(instant(2))));
    }

    #[tokio::test]
    async fn known_facts_are_not_written_again() {
        let place = Place::new().await;
        let db = place.open().await;
        let account = order(500, 1);
        assert_eq!(db.known_order(&account).await.unwrap(), None);
        let told = db.tell_order(&account).await.unwrap();
        for n in 0..50 {
            db.let_session(&account.order, &n.to_string())
                .await
                .unwrap();
        }
        let syncs = db.syncs();
        assert_eq!(db.known_order(&account).await.unwrap(), Some(told));
        assert!(db.let_session(&account.order, "7").await.unwrap());
        assert!(!db.let_session(&account.order, "more").await.unwrap());
        assert_eq!(db.syncs(), syncs);
    }

    #[tokio::test]
    async fn an_order_of_the_program_is_not_told_anew() {
        let place = Place::new().await;
        let db = place.open().await;
        let mut registered = order(500, 1).order;
        registered.told_at = None;
        db.add_order(&registered).await.unwrap();
        assert_eq!(db.tell_order(&order(1, 2)).await.unwrap(), Told::Registered);
        assert!(db.lets_session(&registered, "hash").await.unwrap());
    }

    #[tokio::test]
    async fn fifty_browsers_of_an_order_are_known_and_a_further_one_is_not() {
        let place = Place::new().await;
        let db = place.open().await;
        let account = order(500, 1);
        db.tell_order(&account).await.unwrap();
        let told = account.order;
        assert!(!db.lets_session(&told, "hash").await.unwrap());
        for n in 0..55 {
            for _ in 0..2 {
                let is_in = db.let_session(&told, &format!("{n:02}")).await.unwrap();
                assert_eq!(is_in, n < 50);
            }
        }
        let mut known = 0;
        for n in 0..55 {
            known += u32::from(db.lets_session(&told, &format!("{n:02}")).await.unwrap());
        }
        assert_eq!(known, 50);
        assert!(db.lets_session(&told, "00").await.unwrap());
    }
}
