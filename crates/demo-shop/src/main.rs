//! Starts the demo's shop.

use merchant_backend::{Settings, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let settings = Settings::from_command_line(env!("CARGO_BIN_NAME"));
    run(&settings, demo_shop::routes)
}
