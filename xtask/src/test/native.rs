//! Tests that need no browser.

use super::command::{cargo, count};
use super::tally::Tally;
use anyhow::Result;

/// Every crate but the component, to the last test even when one fails; what of the component
/// needs no browser; then whether the checked-in TypeScript declarations are what the types say,
/// by themselves because the feature for it would build every crate a second time.
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
