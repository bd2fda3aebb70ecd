use payment_model::{Amount, Currency};
use std::str::FromStr;

/// The unit of whole numbers in the service's answers; the specification does not show it.
///
/// A number with a decimal point is in units of the currency either way: cents have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AmountUnits {
    /// `38700` is 387.00.
    #[default]
    Cents,
    /// `387` is 387.00.
    Units,
}

impl FromStr for AmountUnits {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "cents" => Ok(Self::Cents),
            "units" => Ok(Self::Units),
            _ => Err("must be `cents` or `units`"),
        }
    }
}

impl AmountUnits {
    /// The amount in cents, the currency's smallest unit; `None` for a text that is no amount.
    pub fn cents(self, amount: &Amount, currency: &Currency) -> Option<u64> {
        let digits = usize::from(currency.iso().and_then(|iso| iso.minor_digits).unwrap_or(2));
        match (amount.as_str().split_once('.'), self) {
            (None, Self::Cents) => amount.cents(),
            (None, Self::Units) => scaled(amount.as_str(), "", digits),
            (Some((whole, fraction)), _) => scaled(whole, fraction, digits),
        }
    }
}

fn scaled(whole: &str, fraction: &str, digits: usize) -> Option<u64> {
    let fraction = fraction.trim_end_matches('0');
    if whole.is_empty() || fraction.len() > digits {
        return None;
    }
    Amount::new(format!("{whole}{fraction:0<digits$}")).cents()
}

#[cfg(test)]
mod tests {
    use super::AmountUnits::{self, Cents, Units};
    use payment_model::{Amount, Currency};

    #[test]
    fn whole_numbers_are_as_configured_and_decimal_ones_are_units() {
        let check = |units: AmountUnits, text: &str, currency: &str, cents| {
            let read = units.cents(&Amount::new(text), &Currency::new(currency));
            assert_eq!(read, cents, "{units:?} {text} {currency}");
        };
        check(Cents, "387000", "604", Some(387_000));
        check(Cents, "3870.00", "PEN", Some(387_000));
        check(Cents, "3870.5", "PEN", Some(387_050));
        check(Cents, "3870.505", "PEN", None);
        check(Cents, "3870.", "PEN", Some(387_000));
        check(Cents, ".50", "PEN", None);
        check(Cents, "-1.00", "PEN", None);
        check(Cents, "1.0x", "PEN", None);
        check(Cents, "", "PEN", None);
        check(Units, "3870", "PEN", Some(387_000));
        check(Units, "3870", "JPY", Some(3870));
        check(Units, "1.234", "KWD", Some(1234));
        check(Units, "12", "???", Some(1200));
    }

    #[test]
    fn other_words_are_refused() {
        assert!("Cents".parse::<AmountUnits>().is_err());
    }
}
