use super::{Locale, intl};
use checkout_flow::Money;
use wasm_bindgen::JsValue;

/// An amount as people of this language write it.
///
/// The digits come from ISO 4217, never from the browser, which rounds some currencies; the
/// amount goes there as text, since a JavaScript number cannot hold every sum of cents.
pub(super) fn format(locale: Locale, money: &Money) -> String {
    let known = money.currency.iso();
    let exact = known.and_then(|iso| Some((iso, money.amount.cents()?, iso.minor_digits?)));
    let Some((iso, cents, digits)) = exact else {
        return as_it_came(money);
    };
    let amount = decimal(cents, usize::from(digits));
    let options = [
        ("style", JsValue::from_str("currency")),
        ("currency", JsValue::from_str(iso.alpha())),
        ("minimumFractionDigits", JsValue::from(digits)),
        ("maximumFractionDigits", JsValue::from(digits)),
    ];
    intl::format(
        "NumberFormat",
        locale.tag(),
        &options,
        &JsValue::from_str(&amount),
    )
    .unwrap_or_else(|| [&amount, " ", iso.alpha()].concat())
}

fn as_it_came(money: &Money) -> String {
    [money.amount.as_str(), " ", money.currency.as_str()].concat()
}

/// Cents as an exact decimal number: `387000` with two digits is `3870.00`.
fn decimal(cents: u64, digits: usize) -> String {
    let mut text = cents.to_string();
    if digits == 0 {
        return text;
    }
    while text.len() <= digits {
        text.insert(0, '0');
    }
    text.insert(text.len() - digits, '.');
    text
}

#[cfg(test)]
mod tests {
    use super::{as_it_came, decimal};
    use checkout_flow::Money;
    use payment_model::{Amount, Currency};

    #[test]
    fn cents_become_exact_decimals() {
        assert_eq!(decimal(387_000, 2), "3870.00");
        assert_eq!(decimal(5, 2), "0.05");
        assert_eq!(decimal(0, 2), "0.00");
        assert_eq!(decimal(1_234, 0), "1234");
        assert_eq!(decimal(1_234, 3), "1.234");
        assert_eq!(decimal(999_999_999_999_999_999, 2), "9999999999999999.99");
    }

    #[test]
    fn what_cannot_be_read_is_shown_as_it_came() {
        let money = Money {
            amount: Amount::new("12.5"),
            currency: Currency::new("puntos"),
        };
        assert_eq!(as_it_came(&money), "12.5 puntos");
    }
}
