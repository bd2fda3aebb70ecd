use payment_model::{Cents, Currency};

/// An amount in a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Money {
    /// How much.
    pub amount: Cents,
    /// Of what.
    pub currency: Currency,
}
