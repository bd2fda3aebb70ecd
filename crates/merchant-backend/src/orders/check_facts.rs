use crate::config::MerchantStores;
use crate::shop_orders::{ShopFacts, WrongFact};
use payment_model::Timestamp;
use payment_rules::fingerprint::fingerprint;
use payment_rules::order::{OrderFacts, OrderState};

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
