//! Tests that need no browser.

use super::command::{cargo, count};
use super::tally::Tally;
use anyhow::Result;

/// Tests every crate, to the last test even when one fails; those for browsers as far as they need
/// none. Then checks that the checked-in TypeScript declarations match the types. That is a step of
/// its own because its feature would build every crate a second time.
pub(crate) fn run() -> Result<Tally> {
    let mut tally = count(&mut cargo("test --workspace --no-fail-fast"))?;
    tally += count(&mut cargo(
        "test --package payment-model --features typescript --example typescript",
    ))?;
    Ok(tally)
}
