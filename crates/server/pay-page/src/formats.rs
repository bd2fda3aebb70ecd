//! Money and instants as the element writes them by the browser's `Intl`. A table that both are tested
//! against holds them together.

use crate::texts::Text;
use checkout_texts::{Locale, fill, unbroken};
use jiff::tz::TimeZone;
use jiff::{Timestamp as Instant, Zoned};
use payment_model::{Money, Timestamp};

/// The digits between two separators of thousands.
const GROUP_DIGITS: usize = 3;

/// An amount as people of this language write it. An amount that is no plain number of cents, or in a
/// currency that ISO 4217 does not know, stays as it came.
#[must_use]
pub fn money(locale: Locale, money: &Money) -> String {
    let known = money.currency.iso();
    let exact = known.and_then(|iso| Some((iso, money.amount.cents()?, iso.minor_digits?)));
    let Some((iso, cents, digits)) = exact else {
        return format!("{} {}", money.amount, money.currency);
    };
    let number = decimal(locale, cents, usize::from(digits));
    // The signs that browsers write; other currencies are written by their code.
    match (iso.alpha(), locale) {
        ("PEN", _) => format!("S/\u{a0}{number}"),
        ("USD", Locale::En) => format!("${number}"),
        ("USD", Locale::PtBr) => format!("US$\u{a0}{number}"),
        ("EUR", Locale::En) => format!("€{number}"),
        ("EUR", Locale::PtBr) => format!("€\u{a0}{number}"),
        (code, _) => format!("{code}\u{a0}{number}"),
    }
}

fn decimal(locale: Locale, cents: u64, digits: usize) -> String {
    let (group, point) = match locale {
        Locale::EsPe | Locale::En => (',', '.'),
        Locale::PtBr => ('.', ','),
    };
    let text = format!("{cents:0>width$}", width = digits + 1);
    let (whole, fraction) = text.split_at(text.len() - digits);
    let mut written = String::with_capacity(text.len() * 2);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(GROUP_DIGITS) {
            written.push(group);
        }
        written.push(digit);
    }
    if digits > 0 {
        written.push(point);
        written.push_str(fraction);
    }
    written
}

/// An instant with its date, in the merchant's time zone and with the name of that zone: the server does not
/// know that of the payer.
#[must_use]
pub fn instant(locale: Locale, zone: &TimeZone, at: Timestamp) -> String {
    let Ok(at) = Instant::from_millisecond(at.as_millis()) else {
        return String::new();
    };
    let local = at.to_zoned(zone.clone());
    let time = unbroken(local_time(locale, &local));
    match place(locale, zone) {
        Some(place) => {
            let named = fill(Text::Zone.of(locale), &[("place", &place)]);
            format!("{time} ({named})")
        }
        None => format!("{time} ({})", local.strftime("%:z")),
    }
}

/// Weekday, date with year, hour and minute.
fn local_time(locale: Locale, at: &Zoned) -> String {
    let weekday = WEEKDAYS[usize::from(at.weekday().to_monday_zero_offset().unsigned_abs())];
    let month = MONTHS[usize::from(at.month().unsigned_abs().saturating_sub(1))];
    let (day, year) = (at.day(), at.year());
    let (hour, minute) = (at.hour(), at.minute());
    let twelve = match hour % 12 {
        0 => 12,
        hour => hour,
    };
    let is_morning = hour < 12;
    match locale {
        Locale::EsPe => {
            let half = if is_morning { "a. m." } else { "p. m." };
            let (weekday, month) = (weekday[0], month[0]);
            format!("{weekday}, {day} de {month} de {year}, {twelve}:{minute:02} {half}")
        }
        Locale::En => {
            let half = if is_morning { "AM" } else { "PM" };
            let (weekday, month) = (weekday[1], month[1]);
            format!("{weekday}, {month} {day}, {year} at {twelve}:{minute:02} {half}")
        }
        Locale::PtBr => {
            let (weekday, month) = (weekday[2], month[2]);
            format!("{weekday}, {day} de {month} de {year} às {hour}:{minute:02}")
        }
    }
}

/// The place of a time zone: Peru has one zone, which people know by the country's name.
fn place(locale: Locale, zone: &TimeZone) -> Option<String> {
    let name = zone.iana_name()?;
    if name == "America/Lima" {
        let peru = match locale {
            Locale::EsPe => "Perú",
            Locale::En | Locale::PtBr => "Peru",
        };
        return Some(peru.to_owned());
    }
    let (_, city) = name.rsplit_once('/')?;
    Some(city.replace('_', " "))
}

/// In Spanish, English and Portuguese.
const WEEKDAYS: [[&str; 3]; 7] = [
    ["lunes", "Monday", "segunda-feira"],
    ["martes", "Tuesday", "terça-feira"],
    ["miércoles", "Wednesday", "quarta-feira"],
    ["jueves", "Thursday", "quinta-feira"],
    ["viernes", "Friday", "sexta-feira"],
    ["sábado", "Saturday", "sábado"],
    ["domingo", "Sunday", "domingo"],
];

/// In Spanish of Peru, English and Portuguese.
const MONTHS: [[&str; 3]; 12] = [
    ["enero", "January", "janeiro"],
    ["febrero", "February", "fevereiro"],
    ["marzo", "March", "março"],
    ["abril", "April", "abril"],
    ["mayo", "May", "maio"],
    ["junio", "June", "junho"],
    ["julio", "July", "julho"],
    ["agosto", "August", "agosto"],
    ["setiembre", "September", "setembro"],
    ["octubre", "October", "outubro"],
    ["noviembre", "November", "novembro"],
    ["diciembre", "December", "dezembro"],
];
