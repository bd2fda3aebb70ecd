//! Tests that need no browser.

use super::Selection;
use super::command::{cargo, count};
use super::tally::Tally;
use anyhow::Result;

/// How many tests of one program run at once.
const THREADS: &str = "6";

/// Tests every crate, to the last test even when one fails; those for browsers as far as they need
/// none. Then checks that the checked-in TypeScript declarations match the types, and that the model
/// reads the same without its default feature. Those are steps of their own because other features
/// would build every crate a second time.
pub(crate) fn run(selection: &Selection) -> Result<Tally> {
    let mut tests = cargo("test --workspace --no-fail-fast");
    if !selection.is_long("native") {
        // Nobody who checks a change waits for the measurements to compile.
        tests.args(["--exclude", "bench"]);
    }
    let mut tally = count(
        tests
            // More than cores: the longest tests wait for servers and clocks.
            .env("RUST_TEST_THREADS", THREADS),
    )?;
    tally += count(&mut cargo(
        "test --package payment-model --features typescript --example typescript",
    ))?;
    tally += count(&mut cargo(
        "test --package payment-model --no-default-features --test shown",
    ))?;
    Ok(tally)
}
