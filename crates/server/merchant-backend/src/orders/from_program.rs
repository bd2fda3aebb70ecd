//! The facts of an order that a shop describes, checked against the stores and the settings; orders that a program of
//! the shop gives to the server, whatever the source of other orders is.

use crate::clock::now;
use crate::config::{Config, MerchantStores};
use crate::db::{Db, DbError};
use crate::shop_orders::{ShopFacts, WrongFact, nothing_else, read_instant};
use payment_model::{Fields, PaymentMethodName, Timestamp};
use payment_rules::fingerprint;
use payment_rules::order::{MAX_SHOP_CLOCK_SKEW, OrderFacts, OrderState, ShopOrder};

/// Why an order of a program was not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GivenOrderError {
    #[error("{0}")]
    Wrong(#[from] WrongFact),
    /// An order of this id has other facts.
    #[error("an order of this id has other facts")]
    OtherFacts,
    #[error(transparent)]
    Database(#[from] DbError),
}

/// The time of an order whose age is not proven. The rules take no payment for what is older than the last restore.
const OLDER_THAN_ANY_RESTORE: Timestamp = Timestamp::from_secs(0);

/// Stores an order of a store, or finds the one that was stored of the same facts before.
pub(crate) async fn given_by_program(
    db: &Db,
    config: &Config,
    merchant_code: &str,
    mut fields: Fields,
) -> Result<OrderFacts, GivenOrderError> {
    let mut facts = ShopFacts::take(&mut fields)?;
    let made_at = match fields.remove("made_at") {
        Some(value) => Some(read_instant("made_at", &value)?),
        None => None,
    };
    nothing_else(&fields)?;
    let store = facts
        .merchant_code
        .get_or_insert_with(|| merchant_code.to_owned());
    if store != merchant_code {
        return Err(WrongFact::new("merchant_code", "is not that of the API key").into());
    }
    // The order could be paid by nothing, and its id would be spent.
    let has = |method: &PaymentMethodName| config.methods(true).any(|own| own == method);
    if facts
        .methods
        .as_ref()
        .is_some_and(|named| !named.iter().any(has))
    {
        let why =
            "names no method of this server, which has QR, INSTALLMENT and those of METHOD_DETAILS";
        return Err(WrongFact::new("methods", why).into());
    }
    let since = now();
    // After a restore, an order that is not here may be one that the backup lacks, and paid. Only its maker can know
    // that it is newer.
    let latest = since.saturating_add(MAX_SHOP_CLOCK_SKEW);
    let is_proven_new = match db.fence().await? {
        Some(fence) => made_at.is_some_and(|at| at >= fence && at <= latest),
        None => true,
    };
    let described_at = if is_proven_new {
        since
    } else {
        OLDER_THAN_ANY_RESTORE
    };
    let described = ShopOrder {
        order: checked_order(facts, &config.stores, described_at, since)?,
        since,
        time_to_pay: config.time_to_pay,
    };
    let stored = db.insert_shop_order(&described).await?;
    let given = &described.order;
    let same_end = given.pay_until.is_none() || given.pay_until == stored.pay_until;
    let same_contents = (&given.label, &given.items, &given.methods)
        == (&stored.label, &stored.items, &stored.methods);
    match given.has_facts_of(&stored) && same_end && same_contents {
        true => Ok(stored),
        false => Err(GivenOrderError::OtherFacts),
    }
}

/// Makes the order to store from the shop's facts, and checks them against the stores of this server.
/// `described_at` is the time at which the shop signed or sent the facts.
pub(super) fn checked_order(
    facts: ShopFacts,
    stores: &MerchantStores,
    described_at: Timestamp,
    created_at: Timestamp,
) -> Result<OrderFacts, WrongFact> {
    let store = match &facts.merchant_code {
        Some(code) => stores
            .of_code(code)
            .ok_or_else(|| WrongFact::new("merchant_code", "is of no store of this server"))?,
        None if stores.all().count() > 1 => {
            let why = "is missing, and this server has several stores";
            return Err(WrongFact::new("merchant_code", why));
        }
        None => stores.first(),
    };
    if !store.sells_in(&facts.currency) {
        return Err(WrongFact::new("currency", "is not that of the store"));
    }
    Ok(OrderFacts {
        session_hash: sender_of(&store.merchant_code, &facts.order_id),
        order_id: facts.order_id,
        label: facts.label,
        created_at,
        amount: facts.amount,
        // The shop's spelling is kept, since the shop gets it back in events.
        currency: facts.currency,
        merchant_code: store.merchant_code.clone(),
        items: facts.products,
        customer: facts.payer,
        state: OrderState::Open,
        paid_twice: false,
        described_at: Some(described_at),
        order_key_hash: None,
        methods: facts.methods,
        pay_until: facts.pay_until,
        unpaid_at: None,
    })
}

/// The sender of all idempotency keys of an order from the shop. It does not depend on the session,
/// since several browsers may have the order's token or key, and a browser whose answer was lost does not
/// have its session cookie. It never equals the hash of a session, whose id is random and signed.
fn sender_of(merchant_code: &str, order_id: &str) -> String {
    fingerprint(&format!("order {merchant_code} {order_id}"))
}

#[cfg(test)]
mod tests {
    use super::checked_order;
    use crate::clock::instant;
    use crate::config::MerchantStores;
    use crate::shop_orders::{ShopFacts, WrongFact};
    use payment_model::Person;
    use payment_rules::order::OrderFacts;

    fn order(
        stores: &MerchantStores,
        code: Option<&str>,
        currency: &str,
    ) -> Result<OrderFacts, WrongFact> {
        let facts = ShopFacts {
            order_id: "A-1".to_owned(),
            label: None,
            amount: 12_990,
            currency: currency.to_owned(),
            merchant_code: code.map(str::to_owned),
            payer: Person::default(),
            products: Vec::new(),
            methods: None,
            pay_until: None,
        };
        checked_order(facts, stores, instant(5), instant(7))
    }

    #[test]
    fn the_only_store_need_not_be_named() {
        let one = MerchantStores::one("shop".to_owned(), "Shop".to_owned());
        let made = order(&one, None, "PEN").unwrap();
        assert_eq!((made.amount, &*made.merchant_code), (12_990, "shop"));
        let times = (made.described_at, made.created_at);
        assert_eq!(times, (Some(instant(5)), instant(7)));
        assert_eq!(order(&one, Some("shop"), "PEN").unwrap(), made);
        assert_eq!(order(&one, None, "604").unwrap().currency, "604");
        assert_eq!(
            order(&one, Some("x"), "PEN").unwrap_err().fact,
            "merchant_code"
        );
        assert_eq!(order(&one, None, "USD").unwrap_err().fact, "currency");
    }

    #[test]
    fn one_of_several_stores_must_be_named() {
        let store = |code: &str, currency: &str| {
            format!(
                "[[store]]\nkey = \"{code}\"\nmerchant_code = \"{code}\"\nmerchant_name = \"S\"\ncurrency = \"{currency}\"\n"
            )
        };
        let two = MerchantStores::parse(&(store("a", "PEN") + &store("b", "840"))).unwrap();
        assert_eq!(order(&two, None, "PEN").unwrap_err().fact, "merchant_code");
        assert_eq!(order(&two, Some("b"), "USD").unwrap().merchant_code, "b");
    }

    #[test]
    fn every_order_of_a_shop_has_a_sender_of_its_own() {
        let one = MerchantStores::one("shop".to_owned(), "Shop".to_owned());
        let made = order(&one, None, "PEN").unwrap();
        assert_ne!(super::sender_of("shop", "A-2"), made.session_hash);
        assert_eq!(super::sender_of("shop", "A-1"), made.session_hash);
    }
}
