use payment_model::{Cents, Currency};

/// An amount in a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Money {
    /// The amount in cents.
    pub amount: Cents,
    /// The currency of the amount.
    pub currency: Currency,
}
