use crate::Money;
use payment_model::PaymentMethodName;

/// What the page decides about the flow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The methods on offer, in the order shown.
    pub methods: Vec<PaymentMethodName>,
    /// The hosts that a continue URL may lead to; empty for any.
    pub hosts: Vec<String>,
    /// What the page says it costs; another authorized amount is not shown to the payer.
    pub price: Option<Money>,
}
