use serde::{Deserialize, Serialize};
use std::fmt;

/// An amount of money as the text it came with. Requests carry whole cents (`"387000"` is
/// 3,870.00); the unit of amounts in answers is not shown by the specification.
///
/// Hence the text is kept as it is and read only on demand.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(transparent)]
pub struct Amount(String);

impl Amount {
    /// An amount with exactly this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// An amount of whole cents, as requests want it.
    #[must_use]
    pub fn from_cents(cents: u64) -> Self {
        Self(cents.to_string())
    }

    /// The text as it came.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The amount in whole cents, if the text is a plain whole number of at most 18 digits;
    /// `None` for signs, separators, fractions, an empty text and anything larger.
    #[must_use]
    pub fn cents(&self) -> Option<u64> {
        let digits = (1..=18).contains(&self.0.len()) && self.0.bytes().all(|b| b.is_ascii_digit());
        if digits { self.0.parse().ok() } else { None }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Amount;

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
}
