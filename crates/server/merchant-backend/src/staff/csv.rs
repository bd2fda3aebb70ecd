use jiff::tz::TimeZone;
use payment_model::{Outcome, Timestamp};
use staff_model::{ExceptionKind, Money, OperationRow};

/// The header line of the CSV file.
pub(crate) const HEADINGS: [&str; 16] = [
    "merchant_code",
    "merchant_operation_number",
    "order_id",
    "transaction_id",
    "method",
    "state",
    "phase",
    "amount",
    "currency",
    "created_at",
    "created_at_utc",
    "changed_at",
    "changed_at_utc",
    "exceptions",
    "outcome",
    "order_label",
];

/// Writes operations as lines of a CSV file for a spreadsheet.
pub(crate) struct CsvFile {
    pub(crate) time_zone: TimeZone,
}

impl CsvFile {
    /// The cells of one operation.
    pub(crate) fn line(&self, row: &OperationRow) -> [String; 16] {
        // All fields are named, so that a new field does not compile before it is decided here whether
        // the file contains it.
        let OperationRow {
            merchant_code,
            merchant_operation_number,
            order_id,
            // The file contains no personal data.
            payer: _,
            order_label,
            transaction_id,
            method_name,
            phase,
            state,
            outcome,
            amount: _,
            currency,
            created_at,
            changed_at,
            exceptions,
        } = row;
        let exceptions: Vec<&str> = exceptions
            .iter()
            .copied()
            .map(ExceptionKind::as_str)
            .collect();
        let state = state.as_ref().map(|state| state.as_str());
        [
            plain(merchant_code),
            plain(merchant_operation_number),
            plain(order_id),
            plain(transaction_id.as_deref().unwrap_or_default()),
            plain(method_name.as_str()),
            plain(state.unwrap_or_default()),
            phase.as_str().to_owned(),
            decimal(&row.money()),
            plain(currency.as_str()),
            self.local(*created_at),
            utc(*created_at),
            self.local(*changed_at),
            utc(*changed_at),
            exceptions.join(" "),
            outcome.map(Outcome::as_str).unwrap_or_default().to_owned(),
            plain(order_label.as_deref().unwrap_or_default()),
        ]
    }

    fn local(&self, at: Timestamp) -> String {
        let Ok(instant) = calendar(at) else {
            return String::new();
        };
        let zoned = instant.to_zoned(self.time_zone.clone());
        zoned.strftime("%Y-%m-%d %H:%M:%S %:z").to_string()
    }
}

/// # Errors
/// The instant is outside of the years that the calendar supports.
fn calendar(at: Timestamp) -> Result<jiff::Timestamp, jiff::Error> {
    jiff::Timestamp::from_millisecond(at.as_millis())
}

fn utc(at: Timestamp) -> String {
    calendar(at).map_or_else(
        |_| String::new(),
        |instant| instant.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
    )
}

/// Formats an amount in the currency's main unit with a decimal point; in cents if the number of the
/// currency's decimals is unknown.
fn decimal(money: &Money) -> String {
    let cents = money.amount.get();
    let digits = money.currency.iso().and_then(|iso| iso.minor_digits);
    match digits {
        None | Some(0) => cents.to_string(),
        Some(digits) => {
            let digits = usize::from(digits);
            let text = format!("{cents:0>width$}", width = digits + 1);
            let (whole, part) = text.split_at(text.len() - digits);
            format!("{whole}.{part}")
        }
    }
}

/// Escapes a text from outside that a spreadsheet would execute as a formula. The quoting of the crate
/// `csv` does not prevent that.
fn plain(text: &str) -> String {
    let first = text
        .trim_start_matches([' ', '"', '\'', '\u{a0}', '\u{feff}'])
        .chars()
        .next();
    match first {
        Some(
            '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '|' | '%' | '＝' | '＋' | '－' | '＠',
        ) => {
            format!("'{text}")
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{CsvFile, HEADINGS, decimal, plain};
    use crate::clock::instant;
    use jiff::tz::TimeZone;
    use payment_model::{Cents, Currency, Outcome, PaymentMethodName, TransactionState};
    use staff_model::{ExceptionKind, Money, OperationRow, Payer, Phase};

    #[test]
    fn amounts_are_decimal_in_the_currencys_own_units() {
        for (cents, currency, expected) in [
            (12_990, "PEN", "129.90"),
            (5, "604", "0.05"),
            (0, "USD", "0.00"),
            (1500, "CLP", "1500"),
            (1_234, "BHD", "1.234"),
            (700, "puntos", "700"),
        ] {
            let money = Money {
                amount: Cents::new(cents),
                currency: Currency::new(currency),
            };
            assert_eq!(decimal(&money), expected, "{cents} {currency}");
        }
    }

    #[test]
    fn no_cell_becomes_a_formula() {
        for text in [
            "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "\"=1", "'=1", "＝1", "|x",
        ] {
            assert!(plain(text).starts_with('\''), "{text:?}");
        }
        for text in ["", "123", "QR", "a=b", "7af1-c6"] {
            assert_eq!(plain(text), text);
        }
    }

    #[test]
    fn a_line_tells_the_merchants_time_and_utc() {
        let row = OperationRow {
            merchant_code: "shop".to_owned(),
            merchant_operation_number: "=123".to_owned(),
            order_id: "ORDER".to_owned(),
            payer: Some(Payer {
                name: "Canary".to_owned(),
                ..Payer::default()
            }),
            order_label: Some("R-1042".to_owned()),
            transaction_id: None,
            method_name: PaymentMethodName::Qr,
            phase: Phase::Known,
            state: Some(TransactionState::Cancelled),
            outcome: Some(Outcome::Reversed),
            amount: Cents::new(12_990),
            currency: Currency::new("PEN"),
            created_at: instant(1_763_700_000_000),
            changed_at: instant(1_763_700_000_999),
            exceptions: vec![ExceptionKind::PaidTwice, ExceptionKind::PaidLate],
        };
        let file = CsvFile {
            time_zone: TimeZone::get("America/Lima").unwrap(),
        };
        let line = file.line(&row);
        assert_eq!(line.len(), HEADINGS.len());
        assert_eq!(
            line.join(","),
            "shop,'=123,ORDER,,QR,CANCELADO,known,129.90,PEN,2025-11-20 23:40:00 -05:00,2025-11-21T04:40:00Z,\
             2025-11-20 23:40:00 -05:00,2025-11-21T04:40:00Z,paid_twice paid_late,reversed,R-1042"
        );
    }
}
