//! Starts the sandbox.

use std::process::ExitCode;

fn main() -> ExitCode {
    payment_sandbox::program()
}
