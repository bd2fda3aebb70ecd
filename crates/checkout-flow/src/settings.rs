use crate::Money;
use payment_model::PaymentMethodName;

/// The page's settings for the flow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The methods on offer, in the order shown.
    pub methods: Vec<PaymentMethodName>,
    /// The hosts that a continue URL may lead to; empty for any.
    pub hosts: Vec<String>,
    /// The page's price. An operation with another authorized amount is not shown to the payer.
    pub price: Option<Money>,
}
