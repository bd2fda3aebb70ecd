//! Reads the answers of the payment service: which of them count, and the unit of their amounts.

use payment_model::{
    Amount, AuthorizeResponse, CancelResponse, Currency, Meta, QueryResponse, RefundQueryResponse,
    RefundResponse, TransactionId,
};
use qr_verdict::Verdict;
use std::str::FromStr;

/// The codes of `meta.status.code` with which an answer is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedCodes(Vec<String>);

impl AcceptedCodes {
    /// The code of the specification.
    pub const DEFAULT: &str = "00";

    /// Reads codes that are separated by commas; `None` for an empty one.
    pub fn read(text: &str) -> Option<Self> {
        let codes: Vec<String> = text.split(',').map(|code| code.trim().to_owned()).collect();
        (!codes.iter().any(String::is_empty)).then_some(Self(codes))
    }

    /// True for an answer whose request the service carried out. Any other answer proves neither
    /// that something happened nor that it did not, whatever it contains.
    pub fn accept(&self, answer: &impl Answer) -> bool {
        answer.success() && self.0.contains(&answer.meta().status.code)
    }
}

/// Which QRs of the payment service reach no payer, by what was read in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefusedCodes {
    wrong: bool,
    unknown: bool,
    unreadable: bool,
}

impl RefusedCodes {
    /// A code that is not for its order.
    pub const DEFAULT: &str = "wrong";

    /// Reads words that are separated by commas: `wrong`, `unknown`, `unreadable`, or `none` alone.
    ///
    /// # Errors
    /// The predicate of a sentence about the text.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut refused = Self {
            wrong: false,
            unknown: false,
            unreadable: false,
        };
        if text == "none" {
            return Ok(refused);
        }
        if text.contains("none") {
            return Err("has `none` beside other words".to_owned());
        }
        for word in text.split(',').map(str::trim) {
            *match word {
                "wrong" => &mut refused.wrong,
                "unknown" => &mut refused.unknown,
                "unreadable" => &mut refused.unreadable,
                _ => return Err(format!("has `{word}`, which is no word for a code")),
            } = true;
        }
        Ok(refused)
    }

    /// True if there is a code that no payer may see.
    pub fn has_any(self) -> bool {
        self.wrong || self.unknown || self.unreadable
    }

    /// True for a code that no payer may see.
    pub fn has(self, code: &Verdict) -> bool {
        match code {
            Verdict::Right { .. } => false,
            Verdict::Wrong { .. } => self.wrong,
            Verdict::Unknown => self.unknown,
            Verdict::Unreadable => self.unreadable,
        }
    }
}

/// An answer of the payment service with status 200.
pub trait Answer {
    /// The member `success` of the answer.
    fn success(&self) -> bool;
    /// The member `meta`, which has the action code.
    fn meta(&self) -> &Meta;
    /// The transaction of the answer, by which the service can be queried.
    fn transaction_id(&self) -> Option<&TransactionId> {
        None
    }
}

macro_rules! answers {
    ($($answer:ty),*) => {
        $(impl Answer for $answer {
            fn success(&self) -> bool {
                self.success
            }
            fn meta(&self) -> &Meta {
                &self.meta
            }
        })*
    };
}

answers!(
    QueryResponse,
    CancelResponse,
    RefundResponse,
    RefundQueryResponse
);

impl Answer for AuthorizeResponse {
    fn success(&self) -> bool {
        self.success
    }

    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn transaction_id(&self) -> Option<&TransactionId> {
        Some(&self.transaction.transaction_id)
    }
}

/// The unit of whole numbers in the service's answers, which the specification leaves open.
///
/// A number with a decimal point is always in units of the currency.
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
    use super::AcceptedCodes;
    use super::AmountUnits::{self, Cents, Units};
    use crate::ledger::fixture::list;
    use payment_model::{Amount, Currency};

    #[test]
    fn only_success_with_an_accepted_code_is_accepted() {
        for (codes, success, code, accepted) in [
            ("00", true, "00", true),
            ("00", false, "00", false),
            ("00", true, "99", false),
            ("00", true, "", false),
            ("00, 01", true, "01", true),
        ] {
            let mut answer = list(&[]);
            answer.success = success;
            code.clone_into(&mut answer.meta.status.code);
            let codes = AcceptedCodes::read(codes).unwrap();
            assert_eq!(codes.accept(&answer), accepted, "{success} {code}");
        }
        for wrong in ["", "00,", " , "] {
            assert_eq!(AcceptedCodes::read(wrong), None, "{wrong:?}");
        }
    }

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
