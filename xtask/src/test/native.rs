//! Tests that need no browser.

use super::command::{cargo, count};
use super::tally::Tally;
use anyhow::Result;

/// Tests every crate but the component, to the last test even when one fails. Then tests the parts
/// of the component that need no browser. Then checks that the checked-in TypeScript declarations
/// match the types. That is a step of its own because its feature would build every crate a second
/// time.
pub(crate) fn run() -> Result<Tally> {
    let mut tally = count(&mut cargo(
        "test --workspace --exclude payment-checkout --no-fail-fast",
    ))?;
    tally += count(&mut cargo(
        "test --package payment-checkout --lib --features operations,gallery --no-fail-fast",
    ))?;
    tally += count(&mut cargo(
        "test --package payment-model --features typescript --example typescript",
    ))?;
    Ok(tally)
}
