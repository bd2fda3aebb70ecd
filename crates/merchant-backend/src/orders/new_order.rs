use payment_model::{Person, Timestamp};
use payment_rules::order::{OrderFacts, OrderItem, OrderState};
use std::fmt;

/// An order for `Orders::register`. After its registration it cannot be changed.
#[derive(Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// A unique id of 1 to 64 letters, digits, `-` and `_`.
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
