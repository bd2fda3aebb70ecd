use payment_model::{Money, PaymentMethodName};

/// The page's settings for the flow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The methods on offer, in the order shown.
    pub methods: Vec<PaymentMethodName>,
    /// The hosts that a continue URL may lead to; empty for any.
    pub hosts: Vec<String>,
    /// The page's price. An operation with another authorized amount is not shown to the payer.
    pub price: Option<Money>,
    /// True when the page wants to be asked before each new attempt.
    pub asks_page: bool,
    /// True when the page shows a choice of methods of its own in place of the flow's.
    pub hides_choice: bool,
}

impl Settings {
    /// True when this is the page's price, or the page gives no price.
    pub(crate) fn is_price(&self, money: &Money) -> bool {
        let price = self.price.as_ref();
        price.is_none_or(|price| price.same_as(money))
    }
}
