//! Starts the demo shop.

use std::process::ExitCode;

fn main() -> ExitCode {
    demo_shop::program()
}
