//! Reads a typed amount exactly, into whole cents.

use payment_model::{Cents, Currency};

/// Why the typed text is not a valid amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AmountProblem {
    /// Nothing was typed.
    Empty,
    /// It is no number, or a number with an unusual place for its separators.
    NoNumber,
    /// It has more decimals than the currency.
    TooManyDecimals,
    /// It is zero.
    Zero,
    /// It has more digits than any amount.
    TooLarge,
}

/// The decimals that an amount is typed with.
pub(crate) fn decimals(currency: &Currency) -> u8 {
    let iso = currency.iso();
    iso.and_then(|iso| iso.minor_digits).unwrap_or(2)
}

/// Reads `1,234.50` as people in Peru and English write it, and `1234,50` or `1.234,50` as
/// others do, into the smallest unit of a currency with so many decimals. No floating point,
/// and nothing is guessed: what could be meant in two ways is refused.
///
/// A single separator is the decimal one, but before exactly three digits it could be either:
/// `1,234` and `1.234` are refused for a currency of two decimals, `1,234,567` is not.
pub(crate) fn read(text: &str, decimals: u8) -> Result<Cents, AmountProblem> {
    let text: String = text
        .trim()
        .chars()
        .filter(|c| !matches!(c, ' ' | '\u{a0}' | '\u{202f}'))
        .collect();
    if text.is_empty() {
        return Err(AmountProblem::Empty);
    }
    let (whole, fraction) = split(&text, decimals).ok_or(AmountProblem::NoNumber)?;
    if fraction.len() > usize::from(decimals) {
        return Err(AmountProblem::TooManyDecimals);
    }
    let mut digits = whole;
    digits.push_str(&fraction);
    digits.extend(std::iter::repeat_n(
        '0',
        usize::from(decimals) - fraction.len(),
    ));
    let digits = digits.trim_start_matches('0');
    match digits.len() {
        0 => Err(AmountProblem::Zero),
        // As many as the service's amounts have at most.
        1..=18 => {
            let cents = digits.parse().map(Cents::new);
            cents.map_err(|_| AmountProblem::TooLarge)
        }
        _ => Err(AmountProblem::TooLarge),
    }
}

/// The digits before and after the decimal separator.
fn split(text: &str, decimals: u8) -> Option<(String, String)> {
    let separators: Vec<(usize, char)> = text
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | ','))
        .collect();
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let Some(&(last, kind)) = separators.last() else {
        return digits(text).then(|| (text.to_owned(), String::new()));
    };
    let others: Vec<char> = separators[..separators.len() - 1]
        .iter()
        .map(|&(_, c)| c)
        .collect();
    let after = &text[last + 1..];
    // The last separator groups thousands if it came before, or if nothing follows but groups.
    let groups_only = !others.is_empty() && others.iter().all(|c| *c == kind);
    if groups_only {
        return Some((ungroup(text, kind)?, String::new()));
    }
    if others.is_empty() && after.len() == 3 && decimals != 3 {
        // In a currency without decimals it can only group.
        return if decimals == 0 {
            Some((ungroup(text, kind)?, String::new()))
        } else {
            None
        };
    }
    if after.is_empty() || !digits(after) {
        return None;
    }
    let before = &text[..last];
    let whole = match others.first() {
        None if digits(before) => before.to_owned(),
        None => return None,
        Some(group) if *group != kind => ungroup(before, *group)?,
        Some(_) => return None,
    };
    Some((whole, after.to_owned()))
}

/// `1,234,567` without its separators; `None` unless every group but the first has three digits.
fn ungroup(text: &str, separator: char) -> Option<String> {
    let groups: Vec<&str> = text.split(separator).collect();
    let first = groups.first()?;
    let sound = (1..=3).contains(&first.len())
        && groups[1..].iter().all(|group| group.len() == 3)
        && groups
            .iter()
            .all(|group| group.bytes().all(|b| b.is_ascii_digit()));
    sound.then(|| groups.concat())
}

/// An amount of the smallest unit as it would be typed.
pub(crate) fn write(cents: Cents, decimals: u8) -> String {
    let decimals = usize::from(decimals);
    let mut text = cents.to_string();
    if decimals == 0 {
        return text;
    }
    while text.len() <= decimals {
        text.insert(0, '0');
    }
    text.insert(text.len() - decimals, '.');
    text
}

#[cfg(test)]
mod tests {
    use super::{AmountProblem, Cents, read, write};
    use AmountProblem::{Empty, NoNumber, TooLarge, TooManyDecimals, Zero};

    #[test]
    fn what_is_typed_is_read_exactly() {
        let check = |text: &str, expected: Result<u64, AmountProblem>| {
            assert_eq!(read(text, 2), expected.map(Cents::new), "{text:?}");
        };
        check("3870", Ok(387_000));
        check("3870.00", Ok(387_000));
        check("3870,00", Ok(387_000));
        check("3,870.00", Ok(387_000));
        check("3.870,00", Ok(387_000));
        check(" 3 870.5 ", Ok(387_050));
        check("1\u{a0}234,5", Ok(123_450));
        check("1,234,567", Ok(123_456_700));
        check("1,234,567.89", Ok(123_456_789));
        check("1.234.567,89", Ok(123_456_789));
        check("0.01", Ok(1));
        check("00.10", Ok(10));
        check(".5", Ok(50));
        // No floating-point number has this value.
        check("9007199254740993.01", Ok(900_719_925_474_099_301));
        check("9999999999999999.99", Ok(999_999_999_999_999_999));
        check("99999999999999999.99", Err(TooLarge));
        check("", Err(Empty));
        check("  ", Err(Empty));
        check("0", Err(Zero));
        check("0,00", Err(Zero));
        check("1.0000", Err(TooManyDecimals));
        check("12.5.0", Err(NoNumber));
        check("12,34,567", Err(NoNumber));
        check("1,234.56,7", Err(NoNumber));
        // It may mean one thousand or a little more than one. The code cannot know which.
        check("1,234", Err(NoNumber));
        check("1.234", Err(NoNumber));
        check("5.", Err(NoNumber));
        check("-5", Err(NoNumber));
        check("+5", Err(NoNumber));
        check("1e3", Err(NoNumber));
        check("S/ 5", Err(NoNumber));
        check("٣", Err(NoNumber));
        check(",", Err(NoNumber));
    }

    #[test]
    fn the_currency_says_how_many_decimals_there_are() {
        assert_eq!(read("1,234", 0), Ok(Cents::new(1_234)));
        assert_eq!(read("1.5", 0), Err(TooManyDecimals));
        assert_eq!(read("1.234", 3), Ok(Cents::new(1_234)));
        assert_eq!(read("1.5", 3), Ok(Cents::new(1_500)));
    }

    #[test]
    fn what_is_offered_is_read_back() {
        for decimals in [0, 2, 3, 4] {
            for cents in [1, 9, 10, 99, 100, 1_000, 387_000, 999_999_999_999_999_999] {
                let cents = Cents::new(cents);
                assert_eq!(read(&write(cents, decimals), decimals), Ok(cents));
            }
        }
    }
}
