//! Checks the code without running it. A warning is an error here.

use super::command::{cargo, check};
use super::tally::Tally;
use crate::tools;
use anyhow::Result;

/// A clone gets the versions that were tested.
pub(crate) fn lock_file() -> Result<Tally> {
    check(&mut cargo("update --workspace --locked --quiet"))
}

/// Everything is formatted as rustfmt would.
pub(crate) fn formatting() -> Result<Tally> {
    check(&mut cargo("fmt --all --check"))
}

/// The root crate is left out: it is for browsers.
pub(crate) fn native() -> Result<Tally> {
    check(&mut cargo(
        "clippy --workspace --exclude payment-checkout --all-targets \
         --features merchant-backend/bench -- -D warnings",
    ))
}

/// The component and the crates inside of it.
pub(crate) fn wasm() -> Result<Tally> {
    tools::for_wasm_lints()?;
    let mut tally = check(&mut cargo(
        "clippy --package payment-checkout --all-features --all-targets \
         --target wasm32-unknown-unknown -- -D warnings",
    ))?;
    tally += check(&mut cargo(
        "clippy --package payment-model --package checkout-flow \
         --target wasm32-unknown-unknown -- -D warnings",
    ))?;
    Ok(tally)
}

/// The crates that others read: broken links in their documentation are errors.
pub(crate) fn documentation() -> Result<Tally> {
    check(
        cargo("doc --no-deps --package payment-model --package checkout-flow")
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}
