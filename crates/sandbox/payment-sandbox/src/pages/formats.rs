//! How amounts, operation numbers and times to pay are written.

use super::words::Words;
use maud::{Markup, html};
use payment_model::{Amount, Currency, MerchantOperationNumber};
use std::time::Duration;

/// The sign of the sol, which is the same in every language.
const SOL: (&str, &str) = ("PEN", "S/\u{a0}");

/// Formats an amount like the shop's page in the same language, so that a payer can compare them: `S/ 1,299.90`
/// in every language, the usual form in Peru. An amount that is not a whole number of cents and a currency that
/// is not in ISO 4217 are shown unchanged.
pub(super) fn money(words: &Words, amount: &Amount, currency: &Currency) -> String {
    let known = currency.iso();
    let exact = known.and_then(|iso| Some((iso, amount.cents()?, iso.minor_digits?)));
    let Some((iso, cents, digits)) = exact else {
        return format!("{amount} {}", currency.as_str());
    };
    let mut symbols = [SOL].iter().chain(words.symbols);
    let symbol = symbols.find(|(code, _)| *code == iso.alpha()).map_or_else(
        || format!("{}\u{a0}", iso.alpha()),
        |(_, symbol)| (*symbol).to_owned(),
    );
    let scale = 10_u64.pow(u32::from(digits));
    let whole = grouped(cents / scale);
    if digits == 0 {
        return format!("{symbol}{whole}");
    }
    let width = usize::from(digits);
    format!("{symbol}{whole}.{:0width$}", cents % scale)
}

/// Formats a number with thousands separators.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats an operation number like the shop's page, so that a payer can compare them: in groups of four
/// digits, of which the last is never a single digit. The gap is made by CSS and not by a character, so that
/// copying gives the plain number. A number with other characters is shown unchanged.
pub(super) fn number(number: &MerchantOperationNumber) -> Markup {
    let text = number.as_str();
    html! {
        @match groups(text) {
            Some(groups) => @for group in groups { span class="group" { (group) } },
            None => (text),
        }
    }
}

fn groups(number: &str) -> Option<Vec<&str>> {
    let plain = number.len() > 5 && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (mut rest, mut groups) = (plain.then_some(number)?, Vec::new());
    while !rest.is_empty() {
        let length = if rest.len() == 5 {
            3
        } else {
            rest.len().min(4)
        };
        let (group, others) = rest.split_at(length);
        groups.push(group);
        rest = others;
    }
    Some(groups)
}

/// Formats the time for which an operation can still be paid.
pub(super) fn time_left(words: &Words, time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours) = (seconds / 86_400, seconds / 3_600 % 24);
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60);
    let left = words.left;
    if days > 0 {
        format!("{left} {days} {} {hours} h", words.days)
    } else if hours > 0 {
        format!("{left} {hours} h {minutes} min")
    } else if minutes > 0 {
        format!("{left} {minutes} min {rest} s")
    } else {
        format!("{left} {rest} s")
    }
}

#[cfg(test)]
mod tests {
    use super::{groups, money, time_left};
    use crate::pages::language::Language::{self, English, Spanish};
    use payment_model::{Amount, Currency};
    use std::time::Duration;

    #[test]
    fn amounts_are_written_as_on_the_shops_page() {
        let check = |language: Language, amount, currency, expected| {
            let written = money(
                language.words(),
                &Amount::new(amount),
                &Currency::new(currency),
            );
            assert_eq!(written.replace('\u{a0}', " "), expected);
        };
        check(Spanish, "12990", "PEN", "S/ 129.90");
        check(Spanish, "12990", "604", "S/ 129.90");
        check(Spanish, "5", "USD", "USD 0.05");
        check(Spanish, "123456789", "PEN", "S/ 1,234,567.89");
        check(Spanish, "100000", "PEN", "S/ 1,000.00");
        check(Spanish, "150000", "CLP", "CLP 150,000");
        check(Spanish, "12990", "puntos", "12990 puntos");
        check(Spanish, "12.5", "604", "12.5 604");
        check(English, "387000", "604", "S/ 3,870.00");
        check(English, "12990", "PEN", "S/ 129.90");
        check(English, "387000", "840", "$3,870.00");
    }

    #[test]
    fn numbers_are_grouped_as_on_the_shops_page() {
        let check = |number, expected: &str| {
            let groups = groups(number).map(|groups| groups.join(" "));
            assert_eq!(groups.as_deref().unwrap_or(number), expected);
        };
        check("482193017756", "4821 9301 7756");
        check("48219301775", "4821 9301 775");
        check("4821930177", "4821 9301 77");
        check("482193017", "4821 930 17");
        check("482193", "4821 93");
        check("48219", "48219");
        check("A1B2C3D4", "A1B2 C3D4");
        check("ORD-2024-0001", "ORD-2024-0001");
        check("número1", "número1");
        check("", "");
    }

    #[test]
    fn the_two_largest_units_are_shown() {
        let check = |millis, expected| {
            let time = Duration::from_millis(millis);
            assert_eq!(time_left(Spanish.words(), time), expected);
        };
        check(0, "Quedan 0 s");
        check(59_999, "Quedan 59 s");
        check(899_000, "Quedan 14 min 59 s");
        check(7_260_000, "Quedan 2 h 1 min");
        check(90_000_000, "Quedan 1 días 1 h");
    }
}
