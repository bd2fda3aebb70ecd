//! `cargo xtask`, whose chores are a library.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::program(xtask::run)
}
