//! Starts, watches and stops the demo's servers for the demo program, the chores, the measurements and the end-to-end
//! tests. It also has what a program that starts others at a terminal needs: child processes that end
//! with it, Ctrl-C, and lines about the progress.
//!
//! It builds nothing and knows no chore: programs, pages and a database are places that its caller names.

pub mod child;
pub mod interrupt;
mod member;
mod own_shop;
mod plan;
mod ports;
pub mod say;
mod secret;
mod settings;
mod stack;
mod staff;
mod welcome;

pub use member::http_status;
pub use own_shop::OwnShop;
pub use plan::{Pages, Plan, nodes};
pub use ports::Ports;
pub use settings::{database, forget_orders};
pub use stack::Stack;
pub use welcome::{watch, welcome};

use anyhow::Result;
use std::process::ExitCode;

/// Runs a program with the words of its command line. Signals to stop become a flag that [`interrupt`] reads, and an
/// error a message at the terminal and a failure.
pub fn program(run: impl FnOnce(&[&str]) -> Result<ExitCode>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    reported(interrupt::listen().and_then(|()| run(&words)))
}

#[allow(
    clippy::print_stderr,
    reason = "the person at the terminal reads why a program failed"
)]
fn reported(result: Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
