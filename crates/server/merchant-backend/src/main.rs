//! Starts the reference merchant server without a shop's own routes: it serves payments and the
//! staff of a database whose orders another program registered.

use axum::Router;
use merchant_backend::{Settings, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let settings = Settings::from_command_line(env!("CARGO_BIN_NAME"));
    run(&settings, |_| Ok(Router::new()))
}
