use crate::Amount;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An amount as a count: whole cents, or whole units of a currency that has no smaller one.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Cents(u64);

impl Cents {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// So many cents.
    #[must_use]
    pub const fn new(count: u64) -> Self {
        Self(count)
    }

    /// How many they are.
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

#[cfg(test)]
mod tests {
    use super::{Amount, Cents};

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
}
