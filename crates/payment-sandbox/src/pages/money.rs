use payment_model::{Amount, Currency};

/// An amount as people in Peru read it: `S/ 1,299.90`. Text that is no whole number of cents
/// is shown as it is.
pub(super) fn money(amount: &Amount, currency: &Currency) -> String {
    let iso = currency.iso();
    let symbol = match iso.as_ref().map(|iso| iso.alpha()) {
        Some("PEN") => "S/",
        Some("USD") => "US$",
        Some(alpha) => alpha,
        None => currency.as_str(),
    };
    let digits = iso.and_then(|iso| iso.minor_digits).unwrap_or(2);
    let Some(cents) = amount.cents() else {
        return format!("{symbol} {amount}");
    };
    let scale = 10_u64.pow(u32::from(digits));
    let whole = grouped(cents / scale);
    if digits == 0 {
        return format!("{symbol} {whole}");
    }
    let width = usize::from(digits);
    format!("{symbol} {whole}.{:0width$}", cents % scale)
}

/// Thousands apart.
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
    use payment_model::{Amount, Currency};

    #[test]
    fn amounts_are_written_as_people_read_them() {
        let check = |amount, currency, expected| {
            assert_eq!(
                money(&Amount::new(amount), &Currency::new(currency)),
                expected
            );
        };
        check("12990", "PEN", "S/ 129.90");
        check("12990", "604", "S/ 129.90");
        check("5", "USD", "US$ 0.05");
        check("123456789", "PEN", "S/ 1,234,567.89");
        check("100000", "PEN", "S/ 1,000.00");
        check("1500", "CLP", "CLP 1,500");
        check("12990", "puntos", "puntos 129.90");
        check("12.5", "PEN", "S/ 12.5");
    }
}
