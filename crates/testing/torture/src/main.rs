//! `cargo xtask torture`: looks for lost and doubled money, and prints what it tried and found.

#![allow(
    clippy::print_stdout,
    reason = "the report is for the person at the terminal"
)]

use clap::builder::PossibleValuesParser;
use clap::{Parser, value_parser};
use std::process::ExitCode;
use std::time::Duration;
use torture::report::{Budget, Part};
use torture::{input, parsers, processes, race, world};

/// Looks for lost and doubled money.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask torture")]
struct Options {
    /// Everything random follows from it; a random one by default.
    #[arg(long)]
    seed: Option<u64>,
    /// How long the run takes.
    #[arg(long, default_value_t = 10, value_parser = value_parser!(u64).range(1..))]
    minutes: u64,
    /// Only this part; may be repeated.
    #[arg(long, value_parser = PossibleValuesParser::new(PARTS.iter().map(|(name, ..)| *name)))]
    only: Vec<String>,
    /// Only the attempt with this number, as a finding of `world` or `walk` names it.
    #[arg(long, requires = "seed", requires = "only")]
    attempt: Option<u64>,
    /// Plant mistakes in the server one by one, and look whether the worlds find each of them.
    #[arg(long)]
    planted: bool,
}

/// The name of a part, its share of the time in proportion to the shares of the others, and the part.
type Entry = (&'static str, u32, fn(&Budget) -> Part);

const PARTS: &[Entry] = &[
    ("input", 10, input::run),
    ("parsers", 5, parsers::run),
    ("race", 5, race::run),
    ("processes", 25, processes::run),
    ("world", 60, world::run),
    ("walk", 50, world::walk::run),
];

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(processes::SERVER) {
        return processes::serve();
    }
    let options = Options::parse();
    let seed = options
        .seed
        .unwrap_or_else(|| fastrand::u64(..1_000_000_000));
    println!("seed {seed}");
    if options.planted {
        return planted(seed, Duration::from_secs(60 * options.minutes));
    }
    let chosen: Vec<&Entry> = PARTS
        .iter()
        .filter(|(name, ..)| options.only.is_empty() || options.only.iter().any(|own| own == name))
        .collect();
    let shares: u32 = chosen.iter().map(|(_, share, _)| share).sum();
    let whole = Duration::from_secs(60 * options.minutes);
    let mut found = 0;
    for (_, share, run) in chosen {
        let part = run(&Budget {
            attempt: options.attempt,
            ..Budget::new(seed, whole * *share / shares)
        });
        print!("{part}");
        found += part.found.len();
    }
    println!("\n{found} findings, seed {seed}");
    ExitCode::from(u8::from(found > 0))
}

/// Looks for every planted mistake with two seeds.
#[cfg(feature = "planted")]
fn planted(seed: u64, whole: Duration) -> ExitCode {
    use torture::world::planted::{hunt, mistakes};
    let mut missed = 0;
    for seed in [seed, seed.wrapping_add(1)] {
        let mut found = 0;
        for mistake in mistakes() {
            let share = whole / 2 / u32::try_from(mistakes().len()).unwrap_or(1);
            match hunt(mistake, &Budget::new(seed, share)) {
                Ok(hunt) => {
                    found += usize::from(hunt.found.is_some());
                    println!("{hunt}");
                }
                Err(error) => println!("{mistake}: the world ended early: {error:#}"),
            }
        }
        missed += mistakes().len() - found;
        println!(
            "{found} of {} planted mistakes found, seed {seed}\n",
            mistakes().len()
        );
    }
    ExitCode::from(u8::from(missed > 0))
}

/// Says how to build a server with mistakes.
#[cfg(not(feature = "planted"))]
fn planted(_: u64, _: Duration) -> ExitCode {
    println!("this server has no planted mistakes; `cargo xtask torture --planted` builds one");
    ExitCode::FAILURE
}
