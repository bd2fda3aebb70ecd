use crate::currency_table::CURRENCIES;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An amount as the unchanged text of a request or an answer.
///
/// Requests have whole cents (`"387000"` is 3,870.00). The specification does not define the unit of
/// amounts in answers, so the text is parsed only on demand.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(transparent)]
pub struct Amount(String);

impl From<String> for Amount {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Amount {
    /// Creates an amount from its text, which is not checked.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Creates an amount for a request.
    #[must_use]
    pub fn from_cents(cents: u64) -> Self {
        Self(cents.to_string())
    }

    /// The unchanged text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The amount in whole cents; `None` if the text is not 1 to 18 ASCII digits, for example because it
    /// has a sign, a separator or a fraction.
    #[must_use]
    pub fn cents(&self) -> Option<u64> {
        let digits = (1..=18).contains(&self.0.len()) && self.0.bytes().all(|b| b.is_ascii_digit());
        if digits { self.0.parse().ok() } else { None }
    }
}

/// Writes the unchanged text, which is whole cents in most cases and not how people write an amount.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A whole number of a currency's smallest unit, such as cents.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Cents(u64);

impl Cents {
    /// No money.
    pub const ZERO: Self = Self(0);

    /// Creates an amount from its number of cents.
    #[must_use]
    pub const fn new(count: u64) -> Self {
        Self(count)
    }

    /// The number of cents.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl From<Cents> for Amount {
    fn from(cents: Cents) -> Self {
        Self::from_cents(cents.0)
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A currency as the unchanged text of a request or an answer. The specification does not define its format:
/// an alphabetic (`PEN`) or a numeric code (`604`) of ISO 4217 is expected.
///
/// [`Currency::same_as`] compares currencies; `==` compares the texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(transparent)]
pub struct Currency(String);

/// An entry of ISO 4217.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IsoCurrency {
    /// The three-digit code, without leading zeros.
    pub numeric: u16,
    alpha: &'static str,
    /// The number of decimals; `None` if ISO 4217 defines no minor unit, as for gold.
    pub minor_digits: Option<u8>,
}

impl IsoCurrency {
    /// The three-letter code.
    #[must_use]
    pub fn alpha(&self) -> &str {
        self.alpha
    }
}

impl From<String> for Currency {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Currency {
    /// Creates a currency from its text, which is not checked.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The unchanged text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The ISO 4217 entry of a text that has three letters of either case or three digits; `None` for
    /// any other text.
    #[must_use]
    pub fn iso(&self) -> Option<IsoCurrency> {
        let text: [u8; 3] = self.0.as_bytes().try_into().ok()?;
        let number = |sum: u16, digit: &u8| sum * 10 + u16::from(digit - b'0');
        let is_number = text.iter().all(u8::is_ascii_digit);
        let numeric = is_number.then(|| text.iter().fold(0, number));
        let mut entries = CURRENCIES.iter().map(|entry| {
            let (numeric, alpha, minor_digits) = *entry;
            IsoCurrency {
                numeric,
                alpha,
                minor_digits,
            }
        });
        entries.find(|entry| {
            numeric.map_or_else(
                || entry.alpha.eq_ignore_ascii_case(&self.0),
                |wanted| wanted == entry.numeric,
            )
        })
    }

    /// True when both are the same currency, as `604`, `PEN` and `pen` are. Texts that are not in ISO 4217
    /// are compared as texts.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        match (self.iso(), other.iso()) {
            (Some(one), Some(two)) => one.numeric == two.numeric,
            (None, None) => self.0 == other.0,
            _ => false,
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An amount in a currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Money {
    /// The amount.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
}

impl Money {
    /// So many cents in a currency, as in `Money::cents(12_990, "PEN")` for 129.90 soles.
    #[must_use]
    pub fn cents(cents: u64, currency: impl Into<String>) -> Self {
        Self {
            amount: Amount::from_cents(cents),
            currency: Currency::new(currency),
        }
    }

    /// True when amount and currency are the same. Amounts are compared as cents if both can be parsed,
    /// and otherwise as texts; currencies with [`Currency::same_as`].
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
    use super::{Amount, Cents, Currency, Money};
    use crate::currency_table::CURRENCIES;

    #[test]
    fn the_text_stays_as_it_came_and_cents_are_written_plainly() {
        for text in ["387000", "007", "3,870.00", ""] {
            let amount = Amount::new(text);
            assert_eq!((amount.as_str(), &*amount.to_string()), (text, text));
        }
        for (cents, text) in [(0, "0"), (7, "7"), (u64::MAX, "18446744073709551615")] {
            assert_eq!(Amount::from_cents(cents).as_str(), text);
        }
    }

    #[test]
    fn only_plain_whole_numbers_are_cents() {
        let check = |text: &str, cents| assert_eq!(Amount::new(text).cents(), cents, "{text:?}");
        check("387000", Some(387_000));
        check("0", Some(0));
        check("007", Some(7));
        check("999999999999999999", Some(999_999_999_999_999_999));
        check("1000000000000000000", None);
        check("", None);
        check("3870.00", None);
        check("-1", None);
        check("+1", None);
        check(" 1", None);
        check("1e3", None);
        check("٣", None);
    }

    #[test]
    fn cents_are_a_bare_number_wherever_they_are_written() {
        let cents = Cents::new(387_000);
        assert_eq!(cents.get(), 387_000);
        assert_eq!(cents.to_string(), "387000");
        assert_eq!(Amount::from(cents), Amount::new("387000"));
        assert_eq!(serde_json::to_string(&cents).unwrap(), "387000");
        assert_eq!(serde_json::from_str::<Cents>("387000").unwrap(), cents);
        assert!(serde_json::from_str::<Cents>("-1").is_err());
        assert!(serde_json::from_str::<Cents>("\"1\"").is_err());
    }

    #[test]
    fn numeric_and_alphabetic_codes_name_the_same_currency() {
        let same = |one, two| Currency::new(one).same_as(&Currency::new(two));
        assert!(same("604", "PEN") && same("pen", "PEN") && same("008", "ALL"));
        assert!(!same("604", "USD") && !same("8", "ALL") && !same("PEN", "S/"));
        assert!(same("puntos", "puntos") && !same("puntos", "Puntos"));
    }

    #[test]
    fn the_text_stays_as_it_came() {
        for text in ["604", "pen", "S/", ""] {
            let currency = Currency::new(text);
            assert_eq!((currency.as_str(), &*currency.to_string()), (text, text));
        }
    }

    #[test]
    fn the_table_is_iso_4217() {
        use iso_currency::IntoEnumIterator;
        let known = iso_currency::Currency::iter().collect::<Vec<_>>();
        assert_eq!(known.len(), CURRENCIES.len());
        for expected in known {
            let entry = Currency::new(expected.code()).iso().unwrap();
            assert_eq!(entry.alpha(), expected.code());
            assert_eq!(entry.numeric, expected.numeric());
            assert_eq!(entry.minor_digits.map(u16::from), expected.exponent());
        }
    }

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
        // These amounts can only be compared as texts.
        check(("3870.00", "604"), ("3870.00", "PEN"), true);
        check(("3870.00", "604"), ("3870.0", "PEN"), false);
        check(("3870.00", "604"), ("387000", "604"), false);
    }
}
