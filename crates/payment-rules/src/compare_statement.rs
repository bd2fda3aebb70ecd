//! Compares a line of the payment service's statement with an operation.

use crate::operation::OperationKey;
use payment_model::Currency;

/// An operation as the service's statement has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementLine {
    /// The operation of the line.
    pub key: OperationKey,
    /// The state in the words of the payment service.
    pub state: String,
    /// The amount in units of the currency, such as `129.90`.
    pub amount: String,
}

/// An operation as this server has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Own {
    /// The stored state; `None` before the service named a transaction.
    pub state: Option<String>,
    /// The amount of the order, in cents.
    pub cents: u64,
    /// The currency of the order.
    pub currency: Currency,
}

/// The result for one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// State and amount agree.
    Same,
    /// The difference, in a sentence for staff.
    Differs(String),
    /// The server has no such operation.
    Unknown,
}

impl StatementLine {
    /// Compares the line with the operation of this server, if it has one.
    pub fn compare(&self, own: Option<&Own>) -> Compared {
        let Some(own) = own else {
            return Compared::Unknown;
        };
        let digits = own.currency.iso().and_then(|iso| iso.minor_digits);
        let amount = cents(&self.amount, usize::from(digits.unwrap_or(0)));
        if own.state.as_deref() == Some(&*self.state) && amount == Some(own.cents) {
            return Compared::Same;
        }
        let amount = amount.map_or_else(
            || "an amount that cannot be read".to_owned(),
            |amount| format!("{amount} cents"),
        );
        Compared::Differs(format!(
            "the statement says {} and {amount}, the server {} and {} cents",
            self.state,
            own.state.as_deref().unwrap_or("no state"),
            own.cents
        ))
    }
}

/// An amount with at most this many digits after its point, in the smallest unit.
fn cents(text: &str, digits: usize) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let numeric = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || part.len() > digits || !numeric(whole) || !numeric(part) {
        return None;
    }
    format!("{whole}{part:0<digits$}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Compared, Own, StatementLine, cents};
    use crate::operation::OperationKey;
    use payment_model::Currency;

    #[test]
    fn an_amount_is_read_in_the_currencys_own_units() {
        for (text, digits, expected) in [
            ("129.90", 2, Some(12_990)),
            ("129.9", 2, Some(12_990)),
            ("129", 2, Some(12_900)),
            ("0.05", 2, Some(5)),
            ("1500", 0, Some(1_500)),
            ("1.234", 2, None),
            ("1,50", 2, None),
            ("-1", 2, None),
            ("", 2, None),
            (".5", 2, None),
            ("99999999999999999999", 2, None),
        ] {
            assert_eq!(cents(text, digits), expected, "{text}");
        }
    }

    #[test]
    fn state_and_amount_are_both_compared() {
        let line = |state: &str, amount: &str| StatementLine {
            key: OperationKey::new("shop", "1"),
            state: state.to_owned(),
            amount: amount.to_owned(),
        };
        let own = Own {
            state: Some("LIQUIDADO".to_owned()),
            cents: 500,
            currency: Currency::new("PEN"),
        };
        assert_eq!(
            line("LIQUIDADO", "5.00").compare(Some(&own)),
            Compared::Same
        );
        assert_eq!(line("LIQUIDADO", "5.00").compare(None), Compared::Unknown);
        for (state, amount, wanted) in [
            (
                "EXTORNADO",
                "5.00",
                "says EXTORNADO and 500 cents, the server LIQUIDADO and 500 cents",
            ),
            ("LIQUIDADO", "5.01", "says LIQUIDADO and 501 cents"),
            ("LIQUIDADO", "five", "and an amount that cannot be read"),
        ] {
            let Compared::Differs(detail) = line(state, amount).compare(Some(&own)) else {
                panic!("{state} {amount}");
            };
            assert!(detail.contains(wanted), "{detail}");
        }
    }
}
