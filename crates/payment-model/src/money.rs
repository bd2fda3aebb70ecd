use crate::{Amount, Currency};

/// An amount in a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Money {
    /// The amount, as text of cents or as it came.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
}

impl Money {
    /// True when both are the same sum. Amounts are compared as cents if both have cents, else as
    /// text. Currencies are compared by their ISO entry.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        let same_amount = match (self.amount.cents(), other.amount.cents()) {
            (Some(one), Some(two)) => one == two,
            _ => self.amount == other.amount,
        };
        same_amount && self.currency.same_as(&other.currency)
    }
}
