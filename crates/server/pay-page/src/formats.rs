//! Money and instants as the element writes them by the browser's `Intl`. A table that both are tested
//! against holds them together.

use checkout_texts::{Locale, PageText, fill, unbroken};
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
    let form = form(locale);
    match iso.alpha() {
        "PEN" => format!("S/\u{a0}{number}"),
        "USD" if !form.dollars.is_empty() => form.dollars.to_owned() + &number,
        "EUR" if !form.euros.is_empty() => form.euros.to_owned() + &number,
        code => format!("{code}\u{a0}{number}"),
    }
}

fn decimal(locale: Locale, cents: u64, digits: usize) -> String {
    let Form { group, point, .. } = form(locale);
    let text = format!("{cents:0>width$}", width = digits + 1);
    let (whole, fraction) = text.split_at(text.len() - digits);
    let mut written = String::with_capacity(text.len() * 2);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(GROUP_DIGITS) {
            written.push(*group);
        }
        written.push(digit);
    }
    if digits > 0 {
        written.push(*point);
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
            let named = fill(locale.page_text(PageText::Zone), &[("place", &place)]);
            format!("{time} ({named})")
        }
        None => format!("{time} ({})", local.strftime("%:z")),
    }
}

/// Weekday, date with year, hour and minute.
fn local_time(locale: Locale, at: &Zoned) -> String {
    let form = form(locale);
    let weekday = form.weekdays[usize::from(at.weekday().to_monday_zero_offset().unsigned_abs())];
    let month = form.months[usize::from(at.month().unsigned_abs().saturating_sub(1))];
    let (day, year) = (at.day().to_string(), at.year().to_string());
    let hour = match (form.halves, at.hour() % 12) {
        (None, _) => at.hour(),
        (_, 0) => 12,
        (_, hour) => hour,
    };
    let half = form
        .halves
        .map_or("", |halves| halves[usize::from(at.hour() >= 12)]);
    let time = format!("{hour}:{:02}{half}", at.minute());
    let values = [
        ("weekday", weekday),
        ("day", &day),
        ("month", month),
        ("year", &year),
        ("time", &time),
    ];
    fill(form.instant, &values)
}

/// The place of a time zone: Peru has one zone, which people know by the country's name.
fn place(locale: Locale, zone: &TimeZone) -> Option<String> {
    let name = zone.iana_name()?;
    if name == "America/Lima" {
        return Some(form(locale).peru.to_owned());
    }
    let (_, city) = name.rsplit_once('/')?;
    Some(city.replace('_', " "))
}

/// How people of a language write money and dates.
struct Form {
    /// Between the thousands, and before the cents.
    group: char,
    point: char,
    /// What browsers write before an amount in dollars and euros; empty where they write the code.
    dollars: &'static str,
    euros: &'static str,
    /// A date with its time.
    instant: &'static str,
    /// What follows a time before noon, and after; `None` with 24 hours.
    halves: Option<[&'static str; 2]>,
    weekdays: [&'static str; 7],
    months: [&'static str; 12],
    peru: &'static str,
}

fn form(locale: Locale) -> &'static Form {
    match locale {
        Locale::EsPe => &SPANISH,
        Locale::En => &ENGLISH,
        Locale::PtBr => &PORTUGUESE,
    }
}

#[rustfmt::skip] // A list a line.
const SPANISH: Form = Form {
    group: ',',
    point: '.',
    dollars: "",
    euros: "",
    instant: "{weekday}, {day} de {month} de {year}, {time}",
    halves: Some([" a. m.", " p. m."]),
    weekdays: ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
    months: ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "setiembre", "octubre", "noviembre", "diciembre"],
    peru: "Perú",
};

#[rustfmt::skip] // A list a line.
const ENGLISH: Form = Form {
    group: ',',
    point: '.',
    dollars: "$",
    euros: "€",
    instant: "{weekday}, {month} {day}, {year} at {time}",
    halves: Some([" AM", " PM"]),
    weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    months: ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
    peru: "Peru",
};

#[rustfmt::skip] // A list a line.
const PORTUGUESE: Form = Form {
    group: '.',
    point: ',',
    dollars: "US$\u{a0}",
    euros: "€\u{a0}",
    instant: "{weekday}, {day} de {month} de {year} às {time}",
    halves: None,
    weekdays: ["segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo"],
    months: ["janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"],
    peru: "Peru",
};
