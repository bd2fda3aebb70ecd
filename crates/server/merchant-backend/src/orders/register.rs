//! Registers an order of the merchant's program: its form, its rules and its row.

use crate::clock::now;
use crate::config::MerchantStores;
use crate::db::{Db, DbError};
use crate::random::identifier;
use payment_model::{PaymentMethodName, Person, Timestamp};
use payment_rules::order::{
    MAX_AMOUNT_CENTS, OrderFacts, OrderItem, OrderState, are_methods, is_label,
};
use std::fmt;
use std::time::Duration;

/// An order that was not registered. All variants but those of the database are errors of the merchant's
/// program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// The id is empty or too long, or it contains other characters than the allowed ones.
    #[error("the order id must be 1 to 64 letters, digits, `-` and `_`")]
    OrderId,
    /// The label is empty or too long, or has more than one line.
    #[error("the label must be 1 to 40 characters in one line, without blanks around them")]
    Label,
    /// Another order of the store has this id.
    #[error("another order of the store has this id")]
    Taken,
    /// The amount is zero or larger than the database can store.
    #[error("the amount must be from 1 to {MAX_AMOUNT_CENTS} cents")]
    Amount,
    /// No store has this merchant code, or it sells in another currency.
    #[error("no store has this merchant code and sells in this currency")]
    Store,
    /// The list of methods is empty, or has a name in small letters.
    #[error("the methods must be absent, or at least one by its name in capital letters")]
    Methods,
    /// The database failed with this message.
    #[error("{0}")]
    Database(String),
    /// The database does not answer at the moment. The registration can be repeated.
    #[error("{0}")]
    DatabaseAway(String),
}

impl From<DbError> for RegisterError {
    fn from(error: DbError) -> Self {
        if error.is_away() {
            Self::DatabaseAway(error.to_string())
        } else {
            Self::Database(error.to_string())
        }
    }
}

/// Stores a new order, which the payer of this session may pay.
pub(crate) async fn register(
    db: &Db,
    stores: &MerchantStores,
    session_hash: &str,
    order: NewOrder,
    time_to_pay: Option<Duration>,
) -> Result<(), RegisterError> {
    check(stores, &order)?;
    let order = order.into_order(session_hash, now(), time_to_pay);
    if db.order(&order.full_id()).await?.is_some() {
        return Err(RegisterError::Taken);
    }
    Ok(db.add_order(&order).await?)
}

fn check(stores: &MerchantStores, order: &NewOrder) -> Result<(), RegisterError> {
    if identifier(&order.order_id).is_err() {
        return Err(RegisterError::OrderId);
    }
    if order.label.as_deref().is_some_and(|label| !is_label(label)) {
        return Err(RegisterError::Label);
    }
    if !(1..=MAX_AMOUNT_CENTS).contains(&order.amount) {
        return Err(RegisterError::Amount);
    }
    if order
        .methods
        .as_deref()
        .is_some_and(|methods| !are_methods(methods))
    {
        return Err(RegisterError::Methods);
    }
    let store = stores.of_code(&order.merchant_code);
    match store.is_some_and(|store| store.sells_in(&order.currency)) {
        true => Ok(()),
        false => Err(RegisterError::Store),
    }
}

/// An order for `Orders::register`. After its registration it cannot be changed.
#[derive(Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// An id of 1 to 64 letters, digits, `-` and `_`, unique in its store.
    pub order_id: String,
    /// A short name for people, such as `R-1042`: 1 to 40 characters in one line. Staff see it and search
    /// by it. It need not be unique.
    pub label: Option<String>,
    /// The merchant code of the store that sells.
    pub merchant_code: String,
    /// The currency of that store.
    pub currency: String,
    /// The amount in cents.
    pub amount: u64,
    /// The products, to be shown to the payer and to staff. The amount is not computed from them.
    pub items: Vec<OrderItem>,
    /// The payer, whose known fields are sent to the payment service.
    pub customer: Person,
    /// The only methods by which it may be paid, such as [`PaymentMethodName::Qr`]; `None` for all methods of the
    /// server. A method that the server does not have is not offered all the same.
    pub methods: Option<Vec<PaymentMethodName>>,
    /// No attempt to pay begins at or after this instant; `None` for the end of the settings, if there is
    /// one.
    pub pay_until: Option<Timestamp>,
}

impl fmt::Debug for NewOrder {
    /// Leaves the payer's personal data out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewOrder")
            .field("order_id", &self.order_id)
            .field("amount", &self.amount)
            .field("currency", &self.currency)
            .finish_non_exhaustive()
    }
}

impl NewOrder {
    /// Converts it to the stored order, which the payer of this session may pay.
    pub(super) fn into_order(
        self,
        session_hash: &str,
        created_at: Timestamp,
        time_to_pay: Option<Duration>,
    ) -> OrderFacts {
        let default_end = time_to_pay.map(|time| created_at.saturating_add(time));
        OrderFacts {
            order_id: self.order_id,
            label: self.label,
            session_hash: session_hash.to_owned(),
            created_at,
            amount: self.amount,
            currency: self.currency,
            merchant_code: self.merchant_code,
            items: self.items,
            customer: self.customer,
            state: OrderState::Open,
            paid_twice: false,
            described_at: None,
            order_key_hash: None,
            methods: self.methods,
            pay_until: self.pay_until.or(default_end),
            unpaid_at: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NewOrder, RegisterError, check};
    use crate::config::MerchantStores;
    use payment_model::Person;

    fn order() -> NewOrder {
        NewOrder {
            order_id: "A-1".to_owned(),
            label: Some("R-1042".to_owned()),
            merchant_code: "shop".to_owned(),
            currency: "604".to_owned(),
            amount: 1,
            items: Vec::new(),
            customer: Person::default(),
            methods: None,
            pay_until: None,
        }
    }

    #[test]
    fn an_order_that_nobody_could_pay_is_not_registered() {
        let stores = MerchantStores::one("shop".to_owned(), "Shop".to_owned());
        assert_eq!(check(&stores, &order()), Ok(()));
        let refused = |change: fn(&mut NewOrder), why: RegisterError| {
            let mut order = order();
            change(&mut order);
            assert_eq!(check(&stores, &order), Err(why), "{order:?}");
        };
        refused(|order| order.order_id.clear(), RegisterError::OrderId);
        refused(
            |order| order.order_id = "a/b".into(),
            RegisterError::OrderId,
        );
        refused(
            |order| order.order_id = "7".repeat(65),
            RegisterError::OrderId,
        );
        let empty = |order: &mut NewOrder| order.label = Some(String::new());
        refused(empty, RegisterError::Label);
        let no_method = |order: &mut NewOrder| order.methods = Some(Vec::new());
        refused(no_method, RegisterError::Methods);
        let small = |order: &mut NewOrder| order.methods = Some(vec!["qr".into()]);
        refused(small, RegisterError::Methods);
        refused(|order| order.amount = 0, RegisterError::Amount);
        refused(|order| order.amount = u64::MAX, RegisterError::Amount);
        refused(
            |order| order.merchant_code = "x".into(),
            RegisterError::Store,
        );
        refused(|order| order.currency = "USD".into(), RegisterError::Store);
    }
}
