use crate::currency_table::CURRENCIES;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A currency as the text it came with: ISO 4217 alphabetic (`PEN`) or numeric (`604`). The
/// format of currency codes is not shown by the specification.
///
/// [`Currency::same_as`] compares what is meant; `==` compares the texts.
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
    /// Digits after the decimal separator; `None` where the currency has no minor unit.
    pub minor_digits: Option<u8>,
}

impl IsoCurrency {
    /// The three-letter code.
    #[must_use]
    pub fn alpha(&self) -> &str {
        self.alpha
    }
}

impl Currency {
    /// A currency with exactly this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text as it came.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The ISO 4217 entry that the text names, by three letters of either case or by three
    /// digits; `None` for anything else.
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

    /// True when both name the same currency: `604`, `PEN` and `pen` do. Texts that ISO 4217 does
    /// not know are the same only when they are equal.
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

#[cfg(test)]
mod tests {
    use super::Currency;
    use crate::currency_table::CURRENCIES;

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
}
