use super::words::Words;
use payment_model::{Amount, Currency};

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

#[cfg(test)]
mod tests {
    use super::money;
    use crate::pages::language::Language::{self, English, Spanish};
    use payment_model::{Amount, Currency};

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
}
