//! Tests that need no browser.

use super::command::{cargo, count};
use super::tally::Tally;
use anyhow::Result;

/// Every crate but the component, to the last test even when one fails.
pub(crate) fn run() -> Result<Tally> {
    count(&mut cargo(
        "test --workspace --exclude payment-checkout --no-fail-fast",
    ))
}
