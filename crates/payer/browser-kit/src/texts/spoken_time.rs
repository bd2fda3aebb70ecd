use super::intl;
use std::time::Duration;

/// A time as it is said aloud, in minutes and seconds: a clock's digits are heard as a time of
/// day. Empty when the browser cannot say it.
#[must_use]
pub fn spoken_time(tag: &str, time: Duration) -> String {
    let seconds = time.as_secs();
    let units = [
        (seconds / 3_600, "hour"),
        (seconds / 60 % 60, "minute"),
        (seconds % 60, "second"),
    ];
    let said = |(count, unit): &(u64, &str)| {
        let options = [("style", "unit"), ("unit", unit), ("unitDisplay", "long")];
        let count = count.to_string();
        intl::format("NumberFormat", tag, &options, count.as_str())
    };
    let parts: Vec<String> = units
        .iter()
        .filter(|(count, _)| *count > 0)
        .filter_map(said)
        .collect();
    parts.join(" ")
}

#[cfg(target_family = "wasm")]
#[cfg(test)]
mod tests {
    use super::{Duration, spoken_time};
    use crate::texts::Locale;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_time_is_said_in_minutes_and_seconds() {
        let check = |locale: Locale, seconds, expected: &str| {
            let said = spoken_time(locale.tag(), Duration::from_secs(seconds));
            assert_eq!(said.replace('\u{a0}', " "), expected);
        };
        check(Locale::EsPe, 872, "14 minutos 32 segundos");
        check(Locale::EsPe, 60, "1 minuto");
        check(Locale::En, 121, "2 minutes 1 second");
        check(Locale::PtBr, 3_661, "1 hora 1 minuto 1 segundo");
        check(Locale::En, 0, "");
    }
}
