#[cfg(test)]
pub(crate) mod fixture;

use payment_model::{Person, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most operations of one order: far more than any payer needs.
pub(crate) const MOST_OPERATIONS: i64 = 20;

/// The largest amount that the database keeps, in cents.
pub(crate) const LARGEST_AMOUNT: u64 = i64::MAX.unsigned_abs();

/// An item that the payer buys: one product and how many of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderItem {
    /// The shop's own name of the product.
    pub sku: String,
    /// Its name, for people.
    pub name: String,
    /// How many.
    pub quantity: u32,
    /// Cents for one.
    pub unit_price: u64,
}

/// The state of an order; the merchant may deliver a paid one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderState {
    /// To be paid, also after a reversal.
    Open,
    /// A payment of the whole amount is in force.
    Paid,
}

impl OrderState {
    /// The word in the store and in answers.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
        }
    }
}

/// An order; its amount is fixed when it is made.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) order_id: String,
    /// The sender of the idempotency keys of its payer: SHA-256 of the session that it belongs to,
    /// or of its own id when its source says who may pay it.
    pub(crate) session_hash: String,
    pub(crate) created_at: Timestamp,
    /// Cents.
    pub(crate) amount: u64,
    pub(crate) currency: String,
    /// The code of the store that sells; empty in old orders from before the first second store.
    pub(crate) merchant_code: String,
    pub(crate) items: Vec<OrderItem>,
    pub(crate) customer: Person,
    pub(crate) state: OrderState,
    /// True when two operations of it were ever paid at once.
    pub(crate) paid_twice: bool,
    /// When its source told these facts; `None` for an order that the program registered.
    pub(crate) told_at: Option<Timestamp>,
    /// SHA-256 of the key that a page shows to pay it, if the shop gave one.
    pub(crate) order_key_hash: Option<String>,
}

impl fmt::Debug for Order {
    /// Prints neither the person nor the session.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Order")
            .field("order_id", &self.order_id)
            .field("amount", &self.amount)
            .field("currency", &self.currency)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::OrderState;
    use serde_json::json;

    #[test]
    fn a_state_has_one_word_in_the_store_and_in_answers() {
        for (state, word) in [(OrderState::Open, "open"), (OrderState::Paid, "paid")] {
            assert_eq!(state.as_str(), word);
            assert_eq!(serde_json::to_value(state).unwrap(), json!(word));
        }
    }
}
