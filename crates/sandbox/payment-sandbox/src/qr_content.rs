//! What QR codes say.

use clap::ValueEnum;
use payment_model::{Amount, Currency};
use serde::{Deserialize, Serialize};

/// The most characters of the payee's name in a merchant-presented code.
const NAME_CHARACTERS: usize = 25;

/// The form of what QR codes say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum QrForm {
    /// The address of the wallet's page, which a phone's camera opens.
    #[default]
    Address,
    /// The merchant-presented form of EMVCo, with currency, amount and payee, as wallets scan it. A code in a currency
    /// that ISO 4217 does not list is an address all the same.
    Emvco,
}

/// What is wrong with a code on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum QrMistake {
    /// The checksum is another.
    Checksum,
    /// The currency is another.
    Currency,
    /// The amount is 100 of the smallest unit more.
    Amount,
    /// There is no payee.
    NoName,
    /// It is an address.
    OtherForm,
}

/// What a merchant-presented code names.
pub(crate) struct Payment<'a> {
    pub(crate) qr_id: &'a str,
    pub(crate) amount: &'a Amount,
    pub(crate) currency: &'a Currency,
    pub(crate) payee: &'a str,
}

impl Payment<'_> {
    /// The merchant-presented form; `None` if the currency or its decimals are unknown.
    pub(crate) fn emvco(&self, mistake: Option<QrMistake>) -> Option<String> {
        let iso = self.currency.iso()?;
        let digits = u32::from(iso.minor_digits?);
        let surplus = if mistake == Some(QrMistake::Amount) {
            100
        } else {
            0
        };
        let cents = self.amount.cents()? + surplus;
        let numeric = match (mistake, iso.alpha()) {
            (Some(QrMistake::Currency), "USD") => 604,
            (Some(QrMistake::Currency), _) => 840,
            _ => iso.numeric,
        };
        let account = field("00", "sandbox") + &field("01", self.qr_id);
        let name: String = self.payee.chars().take(NAME_CHARACTERS).collect();
        let fields = [
            ("00", "01"),
            // For one payment only.
            ("01", "12"),
            ("26", &account),
            ("52", "0000"),
            ("53", &format!("{numeric:03}")),
            ("54", &decimal(cents, digits)),
            ("58", "PE"),
            ("59", &name),
            ("60", "Lima"),
        ];
        let fields = fields.into_iter();
        let fields = fields.filter(|(tag, _)| *tag != "59" || mistake != Some(QrMistake::NoName));
        let summed = fields
            .map(|(tag, value)| field(tag, value))
            .collect::<String>()
            + "6304";
        let flaw = u16::from(mistake == Some(QrMistake::Checksum));
        Some(format!(
            "{summed}{:04X}",
            checksum(summed.as_bytes()) ^ flaw
        ))
    }
}

/// A tag, the length in characters, and a value.
fn field(tag: &str, value: &str) -> String {
    format!("{tag}{:02}{value}", value.chars().count())
}

/// An amount in the currency's main unit.
fn decimal(cents: u64, digits: u32) -> String {
    let (scale, width) = (10_u64.pow(digits), digits as usize);
    let whole = cents / scale;
    match digits {
        0 => whole.to_string(),
        _ => format!("{whole}.{:0width$}", cents % scale),
    }
}

/// CRC-16 with the polynomial 0x1021, which begins with 0xffff.
fn checksum(bytes: &[u8]) -> u16 {
    let mut sum = u16::MAX;
    for byte in bytes {
        sum ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            let carry = if sum >> 15 == 1 { 0x1021 } else { 0 };
            sum = sum << 1 ^ carry;
        }
    }
    sum
}
