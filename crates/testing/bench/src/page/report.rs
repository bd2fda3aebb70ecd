//! The figures of all pages side by side, and what of the goals was reached.

use super::samples::{Samples, Spread};
use demo_stack::say;

// The pages and figures, as `tests/bench/page.mjs` names them.
const BEFORE: &str = "before";
const BEFORE_HINTS: &str = "before, hints";
const NOW: &str = "now";
const NOW_HINTS: &str = "now, hints";
const PLAIN: &str = "plain";
const SERVERS_PAGE: &str = "server's page";

/// The pages in the order of their columns.
const PAGES: [&str; 6] = [BEFORE, BEFORE_HINTS, NOW, NOW_HINTS, PLAIN, SERVERS_PAGE];

const FIRST_SCREEN: &str = "first screen, ms";
const ANSWERED: &str = "pressed at once: answered, ms";
const QR: &str = "pressed at once: QR, ms";
const CALM: &str = "pressed later: press to QR, ms";
const LONGEST_AFTER: &str = "longest task after ready, ms";

/// The figures in the order of their lines.
const FIGURES: [&str; 10] = [
    FIRST_SCREEN,
    "ready, ms",
    ANSWERED,
    QR,
    CALM,
    "the same without its request, ms",
    "bytes until the QR",
    "requests until the QR",
    "blocked before ready, ms",
    LONGEST_AFTER,
];

/// Prints the table and a line for each goal.
pub(super) fn print(samples: &Samples, rounds: usize) {
    print_table(samples, rounds);
    print_goals(samples);
}

/// Prints the medians with a page in each column, and under them the least and the most.
fn print_table(samples: &Samples, rounds: usize) {
    say::heading(&format!(
        "the payer's page: medians of {rounds} visits, and the least and the most"
    ));
    let titles: String = PAGES.iter().map(|page| format!("{page:>16}")).collect();
    say!("{:<32}{titles}", "");
    for figure in FIGURES {
        let spreads = PAGES.map(|page| samples.spread(page, figure));
        let cells = |write: &dyn Fn(Spread) -> String| -> String {
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

/// How a figure of one page is held against that of another.
#[derive(Clone, Copy)]
enum Measure {
    /// The one divided by the other.
    Ratio(&'static str),
    /// The one without the other, in milliseconds.
    Beyond(&'static str),
    /// The figure itself, in milliseconds.
    Alone,
}

/// At most so much of a figure of a page.
struct Goal {
    figure: &'static str,
    page: &'static str,
    measure: Measure,
    most: f64,
}

const fn goal(figure: &'static str, page: &'static str, measure: Measure, most: f64) -> Goal {
    Goal {
        figure,
        page,
        measure,
        most,
    }
}

/// The first two are for pages without a hint: with one the first screen and the wasm share the connection.
/// They compare with the element before the work on its speed, which is built where no other commit is named.
/// The ratios allow for the budget of bytes: a kilobyte is about 5 ms.
const GOALS: [Goal; 9] = [
    goal(FIRST_SCREEN, NOW, Measure::Ratio(BEFORE), 0.40),
    goal(ANSWERED, NOW, Measure::Ratio(BEFORE), 0.75),
    goal(QR, NOW, Measure::Ratio(PLAIN), 2.7),
    goal(QR, NOW_HINTS, Measure::Ratio(PLAIN), 2.4),
    goal(CALM, NOW, Measure::Beyond(PLAIN), 60.0),
    goal(CALM, NOW_HINTS, Measure::Beyond(PLAIN), 60.0),
    // It has no script, and the QR is in the first answer after the press.
    goal(QR, SERVERS_PAGE, Measure::Ratio(NOW_HINTS), 1.0),
    goal(LONGEST_AFTER, NOW, Measure::Alone, 50.0),
    goal(LONGEST_AFTER, NOW_HINTS, Measure::Alone, 50.0),
];

/// The time of the plain page, to its QR, on the machine for which the goals in milliseconds were set.
const PLAIN_THEN: f64 = 611.0;

impl Goal {
    /// The ratio or the figure that the medians reach.
    fn reached(&self, samples: &Samples) -> Option<f64> {
        let own = samples.median(self.page, self.figure)?;
        let of = |page| samples.median(page, self.figure);
        Some(match self.measure {
            Measure::Ratio(page) => own / of(page)?,
            Measure::Beyond(page) => own - of(page)?,
            Measure::Alone => own,
        })
    }

    fn compared(&self) -> String {
        match self.measure {
            Measure::Ratio(page) => format!("({}) / ({page})", self.page),
            Measure::Beyond(page) => format!("({}) − ({page})", self.page),
            Measure::Alone => format!("({})", self.page),
        }
    }

    fn line(&self, samples: &Samples) -> String {
        let decimals = match self.measure {
            Measure::Ratio(_) => 2,
            Measure::Beyond(_) | Measure::Alone => 0,
        };
        let (reached, word) = match self.reached(samples) {
            None => ("–".to_owned(), "not measured"),
            Some(value) if value <= self.most => (format!("{value:.decimals$}"), "reached"),
            Some(value) => (format!("{value:.decimals$}"), "missed"),
        };
        format!(
            "{:<32} {:<32} {reached:>8}  at most {:<5.decimals$} {word}",
            self.figure,
            self.compared(),
            self.most
        )
    }
}

/// Prints a line for each goal.
fn print_goals(samples: &Samples) {
    say::heading("the goals, by medians");
    for goal in &GOALS {
        say!("{}", goal.line(samples));
    }
    if let Some(plain) = samples.median(PLAIN, QR) {
        say!(
            "The plain page took {plain:.0} ms to its QR, and {PLAIN_THEN:.0} on the machine for which the goals in milliseconds \
             were set; `--slower` sets the speed of the processor."
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Samples {
        let mut samples = Samples::default();
        for line in ["now\tqr\t150", "plain\tqr\t100"] {
            samples.read(line);
        }
        samples
    }

    #[test]
    fn a_goal_compares_two_pages_or_looks_at_one() {
        let reached = |measure| goal("qr", "now", measure, 1.0).reached(&samples());
        assert_eq!(reached(Measure::Ratio("plain")), Some(1.5));
        assert_eq!(reached(Measure::Beyond("plain")), Some(50.0));
        assert_eq!(reached(Measure::Alone), Some(150.0));
        assert_eq!(reached(Measure::Ratio("before")), None);
    }

    #[test]
    fn a_line_says_what_came_of_a_goal() {
        let line = |goal: Goal| goal.line(&samples());
        let ratio = Measure::Ratio("plain");
        assert!(line(goal("qr", "now", ratio, 1.5)).ends_with(" 1.50  at most 1.50  reached"));
        assert!(line(goal("qr", "now", ratio, 1.49)).ends_with(" missed"));
        let other = goal("qr", "now", Measure::Ratio("before"), 1.0);
        assert!(line(other).ends_with(" not measured"));
    }

    #[test]
    fn every_goal_is_about_figures_that_are_printed() {
        for goal in GOALS {
            assert!(FIGURES.contains(&goal.figure), "{}", goal.figure);
            assert!(PAGES.contains(&goal.page), "{}", goal.page);
        }
    }
}
