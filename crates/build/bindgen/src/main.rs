//! Writes the JavaScript glue of a compiled wasm: `bindgen <wasm> <name> <folder>`.
//!
//! The glue must come from exactly the version of wasm-bindgen that the wasm was compiled with. As a member
//! of the workspace this program has that version from the workspace's Cargo.lock, and needs no installation.

use std::env::args;
use std::io::{Write, stderr};
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = args().skip(1).collect();
    let [wasm, name, folder] = arguments.as_slice() else {
        return failed("usage: bindgen <wasm> <name> <folder>");
    };
    let mut bindgen = Bindgen::new();
    // The glue can replace an instance that stopped by a fresh one of the same compiled module.
    bindgen
        .input_path(wasm)
        .out_name(name)
        .typescript(true)
        .reset_state_function(true);
    match bindgen.web(true).and_then(|web| web.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&format!("{wasm}: {error:?}")),
    }
}

fn failed(reason: &str) -> ExitCode {
    // Standard error may be closed.
    let _ = writeln!(stderr(), "{reason}");
    ExitCode::FAILURE
}
