//! An order: its facts, its limits, and how the description of a shop is saved (`save_shop_order`).

#[cfg(any(test, feature = "fixtures"))]
#[allow(clippy::unwrap_used, reason = "only tests make these values")]
pub mod fixture;
mod save_shop_order;

use payment_model::{Currency, PaymentMethodName, Person, Timestamp};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use staff_model::Payer;
use std::fmt;
use std::time::Duration;

pub use save_shop_order::{MAX_SHOP_CLOCK_SKEW, SaveOrder, SaveOrderOutcome, ShopOrder};

/// The most operations of one order that the service has, or may have, which is far more than a payer needs in an
/// hour. Those that ended without a payment count for [`ENDED_OPERATION_COUNTS_FOR`].
pub const MAX_OPERATIONS_PER_ORDER: usize = 20;

/// So that whoever begins and cancels codes at the address of an order does not keep its payer out for good.
pub const ENDED_OPERATION_COUNTS_FOR: Duration = Duration::from_hours(1);

/// The most attempts of one order, with those that the service refused or never knew. It bounds what is loaded
/// with an order; while the access token is refused, each request of a payer is such an attempt.
pub const MAX_ATTEMPTS_PER_ORDER: usize = 500;

/// The most operations in doubt of one order that the background settles at once. While the service
/// does not answer, an order uses up no more of its operations than these.
pub const MAX_DOUBTS_SETTLED_AT_ONCE: usize = 2;

/// The longest short name of an order, in characters.
const MAX_LABEL_CHARACTERS: usize = 40;

/// True for a text that can be an order's short name, which people read out and search by.
pub fn is_label(text: &str) -> bool {
    let plain = !text.is_empty() && text.trim() == text && !text.contains(char::is_control);
    plain && text.chars().count() <= MAX_LABEL_CHARACTERS
}

/// True for a list of methods that an order may have: at least one, each by its name in capital letters. A name in small
/// letters would be that of a method that no server has.
pub fn are_methods(methods: &[PaymentMethodName]) -> bool {
    let is_name = |name: &str| {
        let mut bytes = name.bytes();
        !name.is_empty() && !bytes.any(|byte| byte.is_ascii_lowercase() || byte <= b' ')
    };
    !methods.is_empty() && methods.iter().all(|method| is_name(method.as_str()))
}

/// The largest amount that the database keeps, in cents.
pub const MAX_AMOUNT_CENTS: u64 = i64::MAX.unsigned_abs();

/// An item that the payer buys: one product and how many of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderItem {
    /// The shop's own name of the product.
    pub sku: String,
    /// The name of the product for people.
    pub name: String,
    /// The number of pieces.
    pub quantity: u32,
    /// The price of one piece, in cents: a number, or a text as amounts are on the wire.
    #[serde(deserialize_with = "read_cents")]
    pub unit_price: u64,
}

fn read_cents<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let cents = cents(&Value::deserialize(from)?);
    cents.ok_or_else(|| D::Error::custom("no whole number of cents"))
}

/// An amount in cents, from a number or a text of digits. A fraction is most likely an amount in the main unit of the
/// currency.
pub fn cents(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        // A sign, which the parser would take, is not among the digits.
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// The state of an order; the merchant may deliver a paid one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderState {
    /// The order is to be paid, also after a reversal.
    Open,
    /// A payment of the whole amount is in force.
    Paid,
}

impl OrderState {
    /// The word in the store and in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
        }
    }
}

/// What identifies an order. Each store has ids of its own, which the other stores of the merchant may use, too.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FullOrderId {
    /// The code of the store that sells.
    pub merchant_code: String,
    /// The store's id of the order.
    pub order_id: String,
}

impl FullOrderId {
    /// The key of an order of this store.
    pub fn new(merchant_code: impl Into<String>, order_id: impl Into<String>) -> Self {
        Self {
            merchant_code: merchant_code.into(),
            order_id: order_id.into(),
        }
    }
}

/// An order; its amount is fixed when it is made.
#[derive(Clone, PartialEq, Eq)]
pub struct OrderFacts {
    /// The store's id of the order.
    pub order_id: String,
    /// A short name for people, if the shop gave one.
    pub label: Option<String>,
    /// The sender of the payer's idempotency keys: SHA-256 of the session to which the order
    /// belongs, or of the order's id if the shop decides who may pay it.
    pub session_hash: String,
    /// When the order was stored first.
    pub created_at: Timestamp,
    /// Cents.
    pub amount: u64,
    /// The currency of the amount.
    pub currency: String,
    /// The code of the store that sells.
    pub merchant_code: String,
    /// What the payer buys.
    pub items: Vec<OrderItem>,
    /// The payer; empty once the payer's data was removed.
    pub customer: Person,
    /// Whether the merchant may deliver it.
    pub state: OrderState,
    /// True once two operations of the order were paid at the same time.
    pub paid_twice: bool,
    /// When the shop described these facts; `None` for an order that the merchant's program
    /// registered.
    pub described_at: Option<Timestamp>,
    /// SHA-256 of the key with which a page may pay the order, if the shop gave one.
    pub order_key_hash: Option<String>,
    /// The only methods by which it may be paid; `None` for all methods of the server.
    pub methods: Option<Vec<PaymentMethodName>>,
    /// No attempt to pay begins at or after this instant; `None` for an order without such an end. A
    /// code that exists then can be paid until it expires.
    pub pay_until: Option<Timestamp>,
    /// When the shop got the event that the order ended without a payment, which is final: the shop
    /// has released the goods.
    pub unpaid_at: Option<Timestamp>,
}

impl OrderFacts {
    /// What identifies the order.
    pub fn full_id(&self) -> FullOrderId {
        FullOrderId::new(&*self.merchant_code, &*self.order_id)
    }
}

impl fmt::Debug for OrderFacts {
    /// Prints neither the person nor the session.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrderFacts")
            .field("order_id", &self.order_id)
            .field("amount", &self.amount)
            .field("currency", &self.currency)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// What staff see of a payer; `None` for a payer without a name.
pub fn payer_of(person: &Person) -> Option<Payer> {
    let names = [&person.first_name, &person.last_name];
    let name = joined(names.into_iter().flatten().map(String::as_str));
    let phone = person.phone.as_ref().map(|phone| {
        let code = phone.country_code.as_deref().map(|code| {
            let digits = code.trim().trim_start_matches('+');
            ["+", digits].concat()
        });
        let parts = [code.as_deref(), phone.subscriber.as_deref()];
        joined(parts.into_iter().flatten())
    });
    (!name.is_empty()).then(|| Payer {
        name,
        email: person.email.clone().filter(|text| !text.is_empty()),
        phone: phone.filter(|text| !text.is_empty()),
    })
}

/// The parts that are not empty, with a space between two.
fn joined<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let parts: Vec<&str> = parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(" ")
}

impl OrderFacts {
    /// True when the order's time to pay has passed, so that no attempt to pay begins any more.
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.unpaid_at.is_some() || self.pay_until.is_some_and(|end| end <= now)
    }

    /// True when both orders have the same amount, currency and store, so that an operation of
    /// either costs the payer the same.
    pub fn has_facts_of(&self, other: &Self) -> bool {
        let currency = Currency::new(&*other.currency);
        (self.amount, &self.merchant_code) == (other.amount, &other.merchant_code)
            && currency.same_as(&Currency::new(&*self.currency))
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_LABEL_CHARACTERS, OrderItem, OrderState, is_label, payer_of};
    use payment_model::Person;
    use serde_json::json;

    #[test]
    fn the_price_of_an_item_is_a_number_or_a_text_of_cents() {
        let price = |written: serde_json::Value| {
            let item = json!({"sku": "m", "name": "Bag", "quantity": 1, "unit_price": written});
            serde_json::from_value(item).map(|item: OrderItem| item.unit_price)
        };
        for right in [json!(12_990), json!("12990")] {
            assert_eq!(price(right).unwrap(), 12_990);
        }
        for wrong in [
            json!("129.90"),
            json!("+12990"),
            json!("-1"),
            json!(""),
            json!("S/ 1"),
            json!(129.9),
            json!(-1),
            json!(null),
        ] {
            assert!(price(wrong.clone()).is_err(), "{wrong}");
        }
        let item = json!({"sku": "m", "name": "Bag", "quantity": 1});
        assert!(serde_json::from_value::<OrderItem>(item).is_err());
    }

    #[test]
    fn staff_see_a_payers_name_and_how_to_reach_the_payer() {
        let of = |person| payer_of(&serde_json::from_value::<Person>(person).unwrap());
        let payer = of(json!({
            "first_name": " Ana ", "last_name": "Quispe", "email": "ana@example.com",
            "phone": {"country_code": "51", "subscriber": "999 999 999"},
            "location": {"line_1": "Somewhere 5"},
        }));
        let payer = payer.unwrap();
        assert_eq!(payer.name, "Ana Quispe");
        assert_eq!(payer.email.as_deref(), Some("ana@example.com"));
        assert_eq!(payer.phone.as_deref(), Some("+51 999 999 999"));
        assert!(!format!("{payer:?}").contains("Ana"));
        // An order whose payer was forgotten.
        assert_eq!(of(json!({})), None);
        assert_eq!(
            of(json!({"first_name": " ", "email": "a@example.com"})),
            None
        );
    }

    #[test]
    fn a_label_is_a_short_text_in_one_line() {
        for good in [
            "R-1042",
            "7",
            "Mesa 12 / 3",
            "Ñandú",
            &"7".repeat(MAX_LABEL_CHARACTERS),
        ] {
            assert!(is_label(good), "{good:?}");
        }
        for bad in [
            "",
            " ",
            " R-1",
            "R-1 ",
            "R\n1",
            &"7".repeat(MAX_LABEL_CHARACTERS + 1),
        ] {
            assert!(!is_label(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_state_has_one_word_in_the_store_and_in_answers() {
        for (state, word) in [(OrderState::Open, "open"), (OrderState::Paid, "paid")] {
            assert_eq!(state.as_str(), word);
            assert_eq!(serde_json::to_value(state).unwrap(), json!(word));
        }
    }
}
