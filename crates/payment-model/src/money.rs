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

#[cfg(test)]
mod tests {
    use super::Money;
    use crate::{Amount, Currency};

    #[test]
    fn a_sum_is_the_same_however_its_cents_and_its_currency_are_written() {
        let money = |(amount, currency)| Money {
            amount: Amount::new(amount),
            currency: Currency::new(currency),
        };
        let check = |one, two, same| {
            assert_eq!(money(one).same_as(&money(two)), same, "{one:?} {two:?}");
        };
        check(("387000", "604"), ("0387000", "pen"), true);
        check(("387000", "604"), ("387001", "604"), false);
        check(("387000", "604"), ("387000", "USD"), false);
        check(("387000", "604"), ("387001", "USD"), false);
        // Only the text can be compared.
        check(("3870.00", "604"), ("3870.00", "PEN"), true);
        check(("3870.00", "604"), ("3870.0", "PEN"), false);
        check(("3870.00", "604"), ("387000", "604"), false);
    }
}
