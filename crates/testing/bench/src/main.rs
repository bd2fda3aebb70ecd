//! `cargo xtask bench`: what is measured rather than tested.
//!
//! The figures are for comparison within one run. None of them fails the chore: the machine may be busy.

mod page;
mod payers;
mod polls;
mod staff;

use anyhow::Result;
use demo_stack::say;
use std::process::ExitCode;
use tokio::runtime::Runtime;

const HELP: &str = "\
cargo xtask bench desks    what 200 desks of staff that follow the changes cost the server, beside 200 payers
cargo xtask bench page     how long a payer on a slow phone waits, before and now
                           (`--rounds N`, `--slower N`, `--against COMMIT`)
cargo xtask bench payers   what 10,000 payers who wait cost the server, beside a bare route (`--count N`)
cargo xtask bench polls    what the element holds in memory after 10,000 polls
cargo xtask bench staff    the staff's search over 10,000 and 100,000 operations, in a file and on PostgreSQL";

fn main() -> ExitCode {
    xtask::program(run)
}

/// Runs the measurement that the words name.
fn run(words: &[&str]) -> Result<ExitCode> {
    match words {
        ["page", flags @ ..] => page::run(&page::Options::parse(flags)?)?,
        ["payers", flags @ ..] => payers::run(payers::count(flags)?)?,
        ["desks"] => payers::run_desks()?,
        ["polls"] => polls::run()?,
        ["staff"] => staff::run()?,
        // `bench payers` starts this program once more as the server beside which it measures.
        ["bare", port] => Runtime::new()?.block_on(payers::serve_bare_route(port))?,
        _ => {
            say!("{HELP}");
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}
