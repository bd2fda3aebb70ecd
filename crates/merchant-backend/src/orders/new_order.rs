use payment_model::{Person, Timestamp};
use payment_rules::order::{OrderFacts, OrderItem, OrderState};
use std::fmt;

/// The facts of an order to register. They never change afterwards.
#[derive(Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// Its id, which no other order has: 1 to 64 letters, digits, `-` and `_`.
    pub order_id: String,
    /// A short name of it for people, such as `R-1042`, if it has one: 1 to 40 characters in one line.
    /// Staff see it and search by it; two orders may have the same one.
    pub label: Option<String>,
    /// The merchant code of the store that sells.
    pub merchant_code: String,
    /// The currency of that store.
    pub currency: String,
    /// The amount in cents.
    pub amount: u64,
    /// The products, for the payer and for the staff; the amount is not computed from them.
    pub items: Vec<OrderItem>,
    /// The payer, with the known fields. They go to the payment service.
    pub customer: Person,
}

impl fmt::Debug for NewOrder {
    /// Prints everything but the person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewOrder")
            .field("order_id", &self.order_id)
            .field("amount", &self.amount)
            .field("currency", &self.currency)
            .finish_non_exhaustive()
    }
}

impl NewOrder {
    /// The row that keeps it, for the payer of this session.
    pub(super) fn into_order(self, session_hash: &str, created_at: Timestamp) -> OrderFacts {
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
            told_at: None,
            order_key_hash: None,
        }
    }
}
