//! The figures as a table.

use super::figures::Figures;
use demo_stack::say;
use std::time::Duration;

/// The median and the 99th of a hundred, in milliseconds.
pub(super) fn spread(mut waits: Vec<Duration>) -> String {
    waits.sort();
    let at = |percent: usize| waits.get((waits.len() * percent / 100).min(waits.len() - 1));
    match (waits.is_empty(), at(50), at(99)) {
        (false, Some(median), Some(worst)) => {
            format!("{} / {}", median.as_millis(), worst.as_millis())
        }
        _ => "–".to_owned(),
    }
}

/// A row: its name, and the text for each program.
type Row = (&'static str, fn(&Figures, f64) -> String);

const ROWS: [Row; 8] = [
    ("memory for each, KiB", |figures, _| {
        format!("{:.0}", figures.bytes_a_payer / 1024.0)
    }),
    (
        "processor while nothing happens, % of a core",
        |figures, _| format!("{:.0}", figures.processor),
    ),
    ("answers a second to those who wait", |figures, _| {
        format!("{:.0}", figures.answers_a_second)
    }),
    (
        "answers a second to 64 who have paid and ask without a pause",
        |figures, _| format!("{:.0}", figures.hurried),
    ),
    (
        "from the payment to the answer, median / 99 %, ms",
        |figures, _| spread(figures.notified.clone()),
    ),
    ("the same without a notification, ms", |figures, _| {
        spread(figures.unnotified.clone())
    }),
    ("authorizations a second, 32 at once", |figures, count| {
        let begun = figures.begun;
        begun.map_or("–".to_owned(), |begun| {
            format!("{:.0}", count / begun.as_secs_f64())
        })
    }),
    ("requests without a good answer", |figures, _| {
        figures.failures.to_string()
    }),
];

pub(super) fn print(count: usize, columns: &[(&str, Figures)]) {
    let each = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let names: Vec<_> = columns.iter().map(|(name, _)| *name).collect();
    let mut text = format!("| {count} payers | {} |\n|---", names.join(" | "));
    text += &"|---:".repeat(columns.len());
    text += "|\n";
    for (name, value) in ROWS {
        let values: Vec<_> = columns
            .iter()
            .map(|(_, figures)| value(figures, each))
            .collect();
        text += &format!("| {name} | {} |\n", values.join(" | "));
    }
    say!("{text}");
}
