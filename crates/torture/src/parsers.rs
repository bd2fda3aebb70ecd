//! What the component and the server parse from outside, with bytes that are nearly right.
//!
//! No parser panics or takes long. A value survives writing and reading, and an accepted address leads to the host that
//! another parser of addresses names.

use crate::report::{Budget, Part};
use checkout_flow::{ContinueUrl, QrImage, Snapshot};
use fastrand::Rng;
use payment_model::{
    Amount, AuthorizeResponse, CancelResponse, DateObject, QueryResponse, RefundQueryResponse,
    RefundResponse,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use url::Url;

/// The texts of a run, if the time is enough for them.
const TEXTS: u64 = 200_000;
/// A parser that takes longer would hold a payer's page up.
const QUICK: Duration = Duration::from_millis(250);

/// A float of 64 bits keeps every decimal number with at most 15 digits.
const EXACT_DIGITS: usize = 15;

/// Reads a text, and says what is wrong with the result.
type Parser = fn(&str) -> Result<(), String>;

const PARSERS: [(&str, Parser); 10] = [
    ("AuthorizeResponse", same_again::<AuthorizeResponse>),
    ("QueryResponse", same_again::<QueryResponse>),
    ("CancelResponse", same_again::<CancelResponse>),
    ("RefundResponse", same_again::<RefundResponse>),
    ("RefundQueryResponse", same_again::<RefundQueryResponse>),
    ("DateObject", date),
    ("Amount", amount),
    ("Snapshot", same_again::<Snapshot>),
    ("ContinueUrl", address),
    ("QrImage", picture),
];

/// Right texts, of which the wrong ones are made. Any parser gets any of them.
const CORPUS: [&str; 8] = [
    r#"{"success":true,"merchant_code":"m","merchant_operation_number":"1","transaction":{"transaction_id":"7af1","channel":"ecommerce","state":"PENDIENTE","state_reason":"","amount":"387000","currency":"604","payment_method":{"method_name":"QR","method_details":{"a":[1,-2.5,{}]}},"expiration_date":{"utc_time":"2026-01-02T03:04:05Z","unix_time":1767323045},"processor_response":{"qr_image":"data:image/png;base64,AA=="},"lifecycle":[{"state":"REGISTRADO","date":{"unix_time":"1767323045"}}]},"meta":{"status":{"code":"00","message_ilgn":[{"locale":"es_PE","value":"ok"}]}}}"#,
    r#"{"success":true,"merchant_code":"m","operation":{"merchant_operation_number":"1","state":"AUTORIZADO","amount":"387000","currency":"604","transactions":[{"transaction_id":"7af1","channel":"ecommerce","state":"AUTORIZADO","state_reason":"","amount":"387000","currency":"604","payment_method":{"method_name":"INSTALLMENT"},"continue_url":"https://lender.example/a?b=c","lifecycle":[]}]},"meta":{"status":{"code":"00","message_ilgn":[]}}}"#,
    r#"{"success":true,"merchant_code":"m","operations":[{"refund_id":"r1","merchant_operation_number":"1","refund_amount":"100","state":"PROCESADO","type":"PARTIAL","currency":"PEN"}],"meta":{"status":{"code":"00","message_ilgn":[]}}}"#,
    r#"{"utc_time":"2026-01-02T03:04:05.678Z","unix_time":"1767323045678"}"#,
    r#""387000""#,
    r#"{"version":1,"attempts":[],"operations":[{"merchant_code":"m","merchant_operation_number":"1","transaction_id":null}]}"#,
    "https://lender.example:8443/continue?operation=1#x",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAB0AAAAdAQAAAAB+6FqiAAAACUlEQVQAAAAAAAAAAAChMLFTAAAAAElFTkSuQmCC",
];

/// Pieces that parsers treat in a way of their own.
const PIECES: [&str; 24] = [
    "\"",
    "\\u0000",
    "\\ud800",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "-0",
    "1e999",
    "18446744073709551616",
    "@",
    "\\",
    "//",
    "[::1]",
    "%2e",
    "\u{202e}",
    "\u{0}",
    "=",
    "Z",
    "0000-00-00",
    "\t",
];

/// Reads the texts.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_times(budget, TEXTS)
}

fn run_times(budget: &Budget, most: u64) -> Part {
    let tried = "a spoiled text, read by each parser of what comes from outside";
    let mut part = Part::begin("parsers", tried, budget);
    let mut random = Rng::with_seed(budget.seed);
    while part.times < most && !budget.is_spent() && !part.has_enough() {
        part.times += 1;
        let text = spoiled(&mut random);
        for (name, parser) in PARSERS {
            if let Err(wrong) = held(parser, &text) {
                let shown = format!("{text:?}").chars().take(2_000).collect();
                part.finds(format!("{name}: {wrong}"), vec![shown]);
            }
        }
    }
    part
}

/// Runs a parser, which must not panic and not take long.
fn held(parser: Parser, text: &str) -> Result<(), String> {
    let start = Instant::now();
    let read = catch_unwind(AssertUnwindSafe(|| parser(text)));
    read.map_err(|_| "it panicked".to_owned())??;
    if start.elapsed() > QUICK {
        return Err("it took too long".to_owned());
    }
    Ok(())
}

/// A right text with one to four changes.
fn spoiled(random: &mut Rng) -> String {
    let mut text = CORPUS[random.usize(..CORPUS.len())].to_owned();
    for _ in 0..random.u8(1..=4) {
        let from = boundary(&text, random);
        let to = boundary(&text, random).max(from);
        match random.u8(0..6) {
            0 => text.truncate(from),
            1 => text.replace_range(from..to, ""),
            2 => text.insert_str(from, &text[from..to].repeat(random.usize(1..4))),
            3 => text.insert_str(
                from,
                &PIECES[random.usize(..PIECES.len())].repeat(random.usize(1..300)),
            ),
            4 => text.insert(from, random.char(..)),
            _ => text.insert_str(from, PIECES[random.usize(..PIECES.len())]),
        }
    }
    text
}

/// A place between two characters.
fn boundary(text: &str, random: &mut Rng) -> usize {
    let mut at = random.usize(..=text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A value that was read from the text is equal after it was written and read once more. Texts with longer numbers than
/// [`EXACT_DIGITS`] are left out: only fields that the program passes on unread take them, and these are rounded.
fn same_again<T: DeserializeOwned + Serialize + PartialEq>(text: &str) -> Result<(), String> {
    let Ok(first) = serde_json::from_str::<T>(text) else {
        return Ok(());
    };
    let digits = text.split(|letter: char| !letter.is_ascii_digit());
    if digits.map(str::len).max() > Some(EXACT_DIGITS) {
        return Ok(());
    }
    let written =
        serde_json::to_string(&first).map_err(|error| format!("it cannot be written: {error}"))?;
    match serde_json::from_str::<T>(&written) {
        Ok(second) if second == first => Ok(()),
        Ok(_) => Err(format!("it is read differently from {written:?}")),
        Err(error) => Err(format!("{written:?} cannot be read: {error}")),
    }
}

fn date(text: &str) -> Result<(), String> {
    same_again::<DateObject>(text)?;
    if let Ok(date) = serde_json::from_str::<DateObject>(text)
        && let Some(instant) = date.timestamp()
        && DateObject::from_timestamp(instant).timestamp().is_none()
    {
        return Err("its instant is no date".to_owned());
    }
    Ok(())
}

fn amount(text: &str) -> Result<(), String> {
    let amount = Amount::new(text);
    let Some(cents) = amount.cents() else {
        return Ok(());
    };
    match Amount::new(cents.to_string().as_str()).cents() {
        Some(again) if again == cents => Ok(()),
        other => Err(format!("{cents} cents are read as {other:?}")),
    }
}

fn address(text: &str) -> Result<(), String> {
    let Some(accepted) = ContinueUrl::parse(text, &[]) else {
        return Ok(());
    };
    let url = Url::parse(text).map_err(|error| format!("another parser refuses it: {error}"))?;
    let host = url.host_str().unwrap_or_default();
    let own = accepted.host();
    // The colons of an IPv6 address are within brackets.
    let port = own.rsplit_once(':').filter(|(_, port)| !port.contains(']'));
    let without_port = port.map_or(own, |(host, _)| host);
    if !without_port.eq_ignore_ascii_case(host) {
        return Err(format!(
            "it leads to {own:?}, and another parser says {host:?}"
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it has a user".to_owned());
    }
    Ok(())
}

fn picture(text: &str) -> Result<(), String> {
    match QrImage::parse(text) {
        Some(picture) if picture.as_str() != text => Err("it was changed".to_owned()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::run_times;
    use crate::report::Budget;
    use std::time::Duration;

    #[test]
    fn no_text_from_outside_is_read_wrongly_or_stops_a_parser() {
        let part = run_times(&Budget::new(7, Duration::from_mins(5)), 4_000);
        assert!(part.found.is_empty(), "{part}");
        assert_eq!(part.times, 4_000);
    }
}
