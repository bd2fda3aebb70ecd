//! Starts the demo shop.

use merchant_backend::{OwnRoutes, Settings, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let settings = Settings::from_command_line(env!("CARGO_BIN_NAME"));
    run(&settings, |orders| {
        let api = demo_shop::routes(orders)?;
        let pages = demo_shop::pages()?;
        Ok(OwnRoutes { api, pages })
    })
}
