//! The figures of all pages, side by side.

use super::names::{FIGURES, PAGES};
use super::samples::Samples;
use crate::say;

/// Prints the medians with a page in each column, and under them the least and the most.
pub(super) fn print(samples: &Samples, rounds: usize) {
    say::heading(&format!(
        "the payer's page: medians of {rounds} visits, and the least and the most"
    ));
    let titles: String = PAGES.iter().map(|page| format!("{page:>16}")).collect();
    say!("{:<32}{titles}", "");
    for figure in FIGURES {
        let spreads = PAGES.map(|page| samples.spread(page, figure));
        let cells = |write: &dyn Fn(super::samples::Spread) -> String| -> String {
            let cell = |spread: &Option<_>| spread.map_or_else(|| "–".to_owned(), write);
            let cells = spreads.iter().map(|spread| format!("{:>16}", cell(spread)));
            cells.collect()
        };
        say!("{figure:<32}{}", cells(&|spread| whole(spread.median)));
        say!(
            "{:<32}{}",
            "",
            cells(&|spread| format!("{}–{}", whole(spread.least), whole(spread.most)))
        );
    }
}

fn whole(value: f64) -> String {
    format!("{value:.0}")
}
