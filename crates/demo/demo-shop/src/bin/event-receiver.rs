//! Starts the receiver of events.

use std::process::ExitCode;

fn main() -> ExitCode {
    demo_shop::event_receiver::program()
}
