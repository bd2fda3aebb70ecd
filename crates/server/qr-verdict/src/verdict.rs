//! The judgement of what was read.

use crate::emvco::{Form, Payment, parse};
use crate::read::Read;
use payment_model::Currency;
use serde::{Deserialize, Serialize};

/// What a code must ask for.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The order's amount in the smallest unit of its currency.
    pub amount_cents: u64,
    /// The order's currency.
    pub currency: &'a Currency,
}

/// If a picture asks for what it should. As JSON it is an object with the member `verdict`; a word of a newer version is
/// read as `Unknown`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It asks for the order's amount, or for none, in the order's currency.
    Right {
        /// The payee whom a wallet shows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        merchant_name: Option<String>,
    },
    /// It asks for something else.
    Wrong {
        /// The first difference.
        mismatch: Mismatch,
    },
    /// No code was read.
    Unreadable,
    /// The code does not say what it asks for, or the currency's decimals are not known.
    #[serde(other)]
    Unknown,
}

/// How a code differs from its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mismatch {
    /// The code is damaged: its checksum or its fields are wrong.
    Checksum,
    /// Another currency, or none.
    Currency,
    /// Another amount.
    Amount,
    /// There are several payable codes, and not all are right.
    SeveralCodes,
    /// A word of a newer version.
    #[serde(other)]
    Other,
}

/// Judges what was read from a picture. Codes of another form beside a payable one are ignored, as wallets do.
#[must_use]
pub fn judge(read: &Read, expected: Expected<'_>) -> Verdict {
    let Read::Contents(contents) = read else {
        return Verdict::Unreadable;
    };
    let decimals = expected.currency.iso().and_then(|iso| iso.minor_digits);
    let Some(decimals) = decimals.map(usize::from) else {
        return Verdict::Unknown;
    };
    let forms = contents.iter().map(|content| parse(content));
    let payable = forms.filter(|form| *form != Form::Other);
    let judged: Vec<_> = payable
        .map(|form| check(form, expected, decimals))
        .collect();
    let merchant_name = match judged.as_slice() {
        [] => return Verdict::Unknown,
        [Err(mismatch)] => {
            return Verdict::Wrong {
                mismatch: *mismatch,
            };
        }
        [Ok(first), others @ ..] if others.iter().all(Result::is_ok) => first.map(str::to_owned),
        _ => {
            return Verdict::Wrong {
                mismatch: Mismatch::SeveralCodes,
            };
        }
    };
    Verdict::Right { merchant_name }
}

/// The payee of a code that is right.
fn check<'a>(
    form: Form<'a>,
    expected: Expected<'_>,
    decimals: usize,
) -> Result<Option<&'a str>, Mismatch> {
    let Form::Payment(Payment {
        currencies,
        amounts,
        has_fee,
        merchant_name,
    }) = form
    else {
        return Err(Mismatch::Checksum);
    };
    let is_currency = |code: &&str| Currency::new(*code).same_as(expected.currency);
    if currencies.is_empty() || !currencies.iter().all(is_currency) {
        return Err(Mismatch::Currency);
    }
    let is_amount = |text: &&str| smallest_unit(text, decimals) == Some(expected.amount_cents);
    if has_fee || !amounts.iter().all(is_amount) {
        return Err(Mismatch::Amount);
    }
    Ok(merchant_name)
}

/// A decimal text in the smallest unit; `None` if it is no such text, or not a whole number of that unit.
fn smallest_unit(text: &str, decimals: usize) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let (counted, finer) = fraction
        .split_at_checked(decimals)
        .unwrap_or((fraction, ""));
    let is_plain = whole
        .bytes()
        .chain(counted.bytes())
        .all(|c| c.is_ascii_digit());
    let is_whole = finer.bytes().all(|c| c == b'0');
    if whole.is_empty() || !is_plain || !is_whole {
        return None;
    }
    format!("{whole}{counted:0<decimals$}").parse().ok()
}
