use super::intl::Formatter;
use payment_model::{IsoCurrency, Money};
use wasm_bindgen::JsValue;

/// The code and the sign of Peru's currency. Browsers know the sign in Spanish only, and a payer compares the
/// amount with the one in an app, which writes the sign in every language.
const SOLES: (&str, &str) = ("PEN", "S/");

/// An amount as people of the language with this tag write it. An amount that is no plain number of cents, or in a
/// currency that ISO 4217 does not know, stays as it came.
///
/// The digits come from ISO 4217, never from the browser, which rounds some currencies; the
/// amount goes there as text, since a JavaScript number cannot hold every sum of cents.
#[must_use]
pub fn money(tag: &str, money: &Money) -> String {
    write(money, |iso, digits, amount| {
        let written = formatter(tag, iso, digits, "symbol")?;
        let written = written.format(&JsValue::from_str(amount))?;
        Some(written.replacen(SOLES.0, SOLES.1, 1))
    })
}

/// The same as it is said aloud, with the currency's name: "S/" is a letter and a slash to a voice.
#[must_use]
pub fn spoken_money(tag: &str, money: &Money) -> String {
    write(money, |iso, digits, amount| {
        formatter(tag, iso, digits, "name")?.format(&JsValue::from_str(amount))
    })
}

/// An amount as `say` writes it from an exact decimal number; as it came where it is no plain
/// number of cents.
fn write(money: &Money, say: impl FnOnce(&IsoCurrency, u8, &str) -> Option<String>) -> String {
    let known = money.currency.iso();
    let exact = known.and_then(|iso| Some((iso, money.amount.cents()?, iso.minor_digits?)));
    let Some((iso, cents, digits)) = exact else {
        return as_it_came(money);
    };
    let amount = decimal(cents, usize::from(digits));
    say(&iso, digits, &amount).unwrap_or_else(|| format!("{amount} {}", iso.alpha()))
}

/// The browser's way to write a currency, as its `symbol` or its `name`.
fn formatter(tag: &str, iso: &IsoCurrency, digits: u8, display: &str) -> Option<Formatter> {
    let digits = digits.to_string();
    let options = [
        ("style", "currency"),
        ("currencyDisplay", display),
        ("currency", iso.alpha()),
        ("minimumFractionDigits", &digits),
        ("maximumFractionDigits", &digits),
    ];
    Formatter::new("NumberFormat", tag, &options)
}

fn as_it_came(money: &Money) -> String {
    format!("{} {}", money.amount, money.currency)
}

/// Cents as an exact decimal number: `387000` with two digits is `3870.00`.
fn decimal(cents: u64, digits: usize) -> String {
    if digits == 0 {
        return cents.to_string();
    }
    let mut text = format!("{cents:0>width$}", width = digits + 1);
    text.insert(text.len() - digits, '.');
    text
}

#[cfg(test)]
mod tests {
    use super::{as_it_came, decimal};
    #[cfg(target_family = "wasm")]
    use crate::texts::Locale;
    use payment_model::{Amount, Currency, Money};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn cents_become_exact_decimals() {
        assert_eq!(decimal(387_000, 2), "3870.00");
        assert_eq!(decimal(5, 2), "0.05");
        assert_eq!(decimal(0, 2), "0.00");
        assert_eq!(decimal(1_234, 0), "1234");
        assert_eq!(decimal(1_234, 3), "1.234");
        assert_eq!(decimal(999_999_999_999_999_999, 2), "9999999999999999.99");
    }

    #[cfg(target_family = "wasm")]
    #[wasm_bindgen_test]
    fn money_is_written_as_people_write_it() {
        let check = |locale: Locale, amount: &str, currency: &str, expected: &str| {
            let money = Money {
                amount: Amount::new(amount),
                currency: Currency::new(currency),
            };
            // Browsers put no-break spaces of several kinds.
            let written = super::money(locale.tag(), &money);
            let written = written.replace(['\u{a0}', '\u{202f}'], " ");
            assert_eq!(written, expected, "{amount} {currency}");
        };
        check(Locale::EsPe, "387000", "604", "S/ 3,870.00");
        check(Locale::EsPe, "387000", "pen", "S/ 3,870.00");
        check(Locale::EsPe, "5", "PEN", "S/ 0.05");
        check(Locale::En, "387000", "604", "S/ 3,870.00");
        check(Locale::En, "387000", "840", "$3,870.00");
        check(Locale::PtBr, "387000", "604", "S/ 3.870,00");
        check(Locale::PtBr, "387000", "986", "R$ 3.870,00");
        // No JavaScript number could hold it.
        check(
            Locale::EsPe,
            "999999999999999999",
            "604",
            "S/ 9,999,999,999,999,999.99",
        );
        // Browsers say 0 digits where ISO 4217 says 2, and the other way round.
        check(Locale::En, "387000", "COP", "COP 3,870.00");
        check(Locale::En, "387000", "CLP", "CLP 387,000");
        check(Locale::EsPe, "387000", "puntos", "387000 puntos");
        check(Locale::EsPe, "38.7", "604", "38.7 604");
        check(Locale::EsPe, "100", "XAU", "100 XAU");
    }

    #[cfg(target_family = "wasm")]
    #[wasm_bindgen_test]
    fn money_is_heard_with_the_name_of_its_currency() {
        let check = |locale: Locale, currency: &str, expected: &str| {
            let money = Money {
                amount: Amount::new("12990"),
                currency: Currency::new(currency),
            };
            let said = super::spoken_money(locale.tag(), &money);
            assert_eq!(said.replace(['\u{a0}', '\u{202f}'], " "), expected);
        };
        check(Locale::EsPe, "PEN", "129.90 soles peruanos");
        check(Locale::EsPe, "840", "129.90 dólares estadounidenses");
        check(Locale::En, "604", "129.90 Peruvian soles");
        check(Locale::PtBr, "986", "129,90 Reais brasileiros");
        check(Locale::PtBr, "puntos", "12990 puntos");
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn what_cannot_be_read_is_shown_as_it_came() {
        let money = Money {
            amount: Amount::new("12.5"),
            currency: Currency::new("puntos"),
        };
        assert_eq!(as_it_came(&money), "12.5 puntos");
    }
}
