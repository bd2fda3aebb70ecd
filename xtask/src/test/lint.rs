//! Checks the code without running it. A warning is an error here.

use super::command::{cargo, check};
use super::tally::Tally;
use crate::tools;
use anyhow::Result;
use std::process::Command;

const WASM: &str = "wasm32-unknown-unknown";

/// Crates that make sense in a browser only.
const BROWSER_ONLY: [&str; 0] = [];

/// Crates that need a system below them.
const NATIVE_ONLY: [&str; 6] = [
    "merchant-backend",
    "demo-shop",
    "payment-sandbox",
    "interfaces",
    "xtask",
    "bench",
];

/// The lock file is up to date, so that every clone gets the tested versions.
pub(crate) fn lock_file() -> Result<Tally> {
    check(&mut cargo("update --workspace --locked --quiet"))
}

/// All code has rustfmt's format.
pub(crate) fn formatting() -> Result<Tally> {
    check(&mut cargo("fmt --all --check"))
}

/// Every crate, as it is compiled for this machine.
pub(crate) fn native() -> Result<Tally> {
    check(&mut cargo(
        "clippy --workspace --all-targets -- -D warnings",
    ))
}

/// The crates for browsers, and those inside of them.
pub(crate) fn wasm() -> Result<Tally> {
    tools::for_wasm_lints()?;
    let mut tally = check(&mut cargo(
        "clippy --package payment-checkout --package browser-kit --package checkout-element \
         --package staff-element --package gallery --all-targets \
         --target wasm32-unknown-unknown -- -D warnings",
    ))?;
    tally += check(&mut cargo(
        "clippy --package payment-model --package checkout-flow --package staff-model \
         --target wasm32-unknown-unknown -- -D warnings",
    ))?;
    // The only crate with a feature of its own that pages may compile.
    tally += check(&mut cargo(
        "check --package payment-model --all-features --target wasm32-unknown-unknown",
    ))?;
    Ok(tally)
}

/// Broken links in the documentation of any crate are errors.
pub(crate) fn documentation() -> Result<Tally> {
    check(cargo("doc --no-deps --workspace --quiet").env("RUSTDOCFLAGS", "-D warnings"))
}

/// Words are written as dictionaries of common mistakes have them; `typos.toml` has the exceptions.
pub(crate) fn spelling() -> Result<Tally> {
    check(&mut Command::new(tools::typos().install()?))
}

/// `deny.toml` says which licences and sources a dependency may have.
pub(crate) fn supply() -> Result<Tally> {
    let program = tools::cargo_deny().install()?;
    check(Command::new(program).args(["--workspace", "check", "bans", "licenses", "sources"]))
}

/// Features are additive: each works by itself and without the others, natively and in a browser.
pub(crate) fn features() -> Result<Tally> {
    tools::for_wasm_lints()?;
    let program = tools::cargo_hack().install()?;
    let mut sum = Tally::default();
    for target in ["", WASM] {
        let mut command = Command::new(&program);
        command.args(["hack", "check", "--each-feature", "--workspace"]);
        if target.is_empty() {
            command.args(BROWSER_ONLY.iter().flat_map(|name| ["--exclude", name]));
        } else {
            command.args(NATIVE_ONLY.iter().flat_map(|name| ["--exclude", name]));
            command.args(["--target", target]);
        }
        sum += check(&mut command)?;
    }
    Ok(sum)
}
