#![no_main]

// The functions that the part `parsers` of `cargo xtask torture` calls, too.
#[path = "../../torture/src/parsers/targets.rs"]
#[allow(dead_code, reason = "each program has one of the targets")]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::service_answers(bytes));
