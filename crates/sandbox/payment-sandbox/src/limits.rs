//! The amounts that payers' wallets, lenders and agents take.

use crate::json;
use payment_model::{Amount, Currency, PaymentMethodName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// The currencies of each named method, with the bounds in each. A method that is not named takes everything.
///
/// As JSON: `{"QR": {"PEN": {"least": 600, "most": 50000}}}`, in the currency's smallest unit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Limits(BTreeMap<String, BTreeMap<String, Bounds>>);

/// The least and the most, both included, in a currency's smallest unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenBounds")]
pub(crate) struct Bounds {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) least: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) most: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBounds {
    least: Option<WrittenAmount>,
    most: Option<WrittenAmount>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "an amount must be a whole number")]
enum WrittenAmount {
    Number(u64),
    Text(Amount),
}

/// Why a method does not take an amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// It is less or more than the bounds of its currency.
    Amount(Bounds),
    /// The method takes these currencies only.
    Currency(Vec<String>),
}

impl Limits {
    /// The reason why a method does not take an amount; `None` if it does.
    pub(crate) fn beyond(
        &self,
        method: &PaymentMethodName,
        amount: &Amount,
        currency: &Currency,
    ) -> Option<Beyond> {
        let currencies = self.0.get(method.as_str())?;
        let mut all = currencies.iter();
        let Some((_, bounds)) = all.find(|(code, _)| Currency::new(*code).same_as(currency)) else {
            return Some(Beyond::Currency(currencies.keys().cloned().collect()));
        };
        let cents = amount.cents()?;
        let is_less = bounds.least.is_some_and(|least| cents < least);
        let is_more = bounds.most.is_some_and(|most| cents > most);
        (is_less || is_more).then_some(Beyond::Amount(*bounds))
    }
}

impl FromStr for Limits {
    type Err = String;

    /// Reads the JSON.
    fn from_str(text: &str) -> Result<Self, String> {
        json::read(text.as_bytes())
    }
}

impl TryFrom<WrittenBounds> for Bounds {
    type Error = &'static str;

    fn try_from(written: WrittenBounds) -> Result<Self, &'static str> {
        let read = |amount: Option<WrittenAmount>| match amount {
            None => Ok(None),
            Some(WrittenAmount::Number(cents)) => Ok(Some(cents)),
            Some(WrittenAmount::Text(text)) => {
                let cents = text.cents().ok_or("an amount must be a whole number");
                cents.map(Some)
            }
        };
        let (least, most) = (read(written.least)?, read(written.most)?);
        if least.zip(most).is_some_and(|(least, most)| least > most) {
            return Err("least must not be more than most");
        }
        Ok(Self { least, most })
    }
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Amount(Bounds { least, most }) => {
                f.write_str("the setting limits takes")?;
                if let Some(least) = least {
                    write!(f, " from {least}")?;
                }
                if let Some(most) = most {
                    write!(f, " up to {most}")?;
                }
                Ok(())
            }
            Self::Currency(codes) => {
                write!(f, "the setting limits takes only {}", codes.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;
    use payment_model::{Amount, Currency, PaymentMethodName};

    #[test]
    fn bounds_are_inclusive_and_currencies_have_two_codes() {
        let limits = r#"{"QR": {"604": {"least": 600, "most": "50000"}, "USD": {}}, "WALLET": {"PEN": {"most": 1}}}"#;
        let limits = limits.parse::<Limits>().unwrap();
        let check = |method: &str, cents, currency, is_taken| {
            let (method, currency) = (PaymentMethodName::from(method), Currency::new(currency));
            let beyond = limits.beyond(&method, &Amount::from_cents(cents), &currency);
            assert_eq!(beyond.is_none(), is_taken, "{method} {cents} {currency}");
        };
        check("QR", 599, "PEN", false);
        check("QR", 600, "PEN", true);
        check("QR", 50_000, "pen", true);
        check("QR", 50_001, "604", false);
        check("QR", 0, "840", true);
        check("QR", 1_000, "CLP", false);
        check("WALLET", 0, "PEN", true);
        check("WALLET", 2, "PEN", false);
        check("INSTALLMENT", 9_999_999, "CLP", true);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let check = |json: &str, expected: &str| {
            let error = json.parse::<Limits>().unwrap_err();
            assert!(error.contains(expected), "{json} gave {error}");
        };
        check("", "empty");
        check(r#"{"QR": 1}"#, "QR");
        check(r#"{"QR": {"PEN": {"max": 1}}}"#, "QR.PEN");
        check(r#"{"QR": {"PEN": {"most": "5.00"}}}"#, "whole number");
        check(r#"{"QR": {"PEN": {"most": 5.5}}}"#, "whole number");
        check(r#"{"QR": {"PEN": {"most": -5}}}"#, "whole number");
        check(
            r#"{"QR": {"PEN": {"least": 2, "most": 1}}}"#,
            "QR.PEN: least must not be more than most",
        );
    }
}
