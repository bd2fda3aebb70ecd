//! `cargo xtask torture`: looks for lost and doubled money, and prints what it tried and found.

use clap::Parser;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use torture::report::{Budget, Part, print};
use torture::{faults, input, parsers, race};

/// Looks for lost and doubled money.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask torture")]
struct Options {
    /// Everything random follows from it; a random one by default.
    #[arg(long)]
    seed: Option<u64>,
    /// How long the run takes.
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// Only this part; may be repeated.
    #[arg(long)]
    only: Vec<String>,
}

/// A part with its share of the time, in percent.
type Entry = (&'static str, u32, fn(&Budget) -> Part);

const PARTS: &[Entry] = &[
    ("faults", 30, faults::run),
    ("input", 10, input::run),
    ("parsers", 5, parsers::run),
    ("race", 5, race::run),
];

#[allow(
    clippy::print_stdout,
    reason = "the report is for the person at the terminal"
)]
fn main() -> ExitCode {
    let options = Options::parse();
    let random = || {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
        elapsed.map_or(0, |elapsed| u64::from(elapsed.subsec_nanos()))
    };
    let seed = options.seed.unwrap_or_else(random);
    println!("seed {seed}");
    let chosen: Vec<&Entry> = PARTS
        .iter()
        .filter(|(name, ..)| options.only.is_empty() || options.only.iter().any(|own| own == name))
        .collect();
    let shares: u32 = chosen.iter().map(|(_, share, _)| share).sum();
    let whole = Duration::from_secs(60 * options.minutes);
    let mut parts = Vec::new();
    for (_, share, run) in chosen {
        let part = run(&Budget::new(seed, whole * *share / shares.max(1)));
        print!("{}", print(std::slice::from_ref(&part)));
        parts.push(part);
    }
    let found: usize = parts.iter().map(|part| part.found.len()).sum();
    println!("\n{found} findings, seed {seed}");
    ExitCode::from(u8::from(found > 0))
}
