//! Payments in other engines than a new Chromium: Firefox, WebKit, and old Chromiums.

use super::Selection;
use super::servers::Servers;
use super::tally::{Tally, count};
use crate::project;
use crate::stack;
use crate::tools;
use crate::wasm::{self, Edition};
use anyhow::Result;

/// Starts the servers with empty databases and lets each engine that can be had play its stories:
/// one payment, and with `--all` or `--only` the long ones too.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    tools::test_packages()?;
    let packages = tools::engine_packages()?;
    tools::engines()?;
    stack::build_tested_servers()?;
    wasm::build(Edition::Shipped)?;
    let folder = project::output("engines");
    let mut servers = Servers::start(&folder, 1, 1)?;
    let mut play = packages.script("run.mjs");
    if selection.is_long("engines") {
        play.arg("--long");
    }
    if tools::is_debian() {
        // All of them can be installed there, so an absent one is a fault.
        play.arg("--every");
    }
    let tally = count(
        play.env("UNPACKED", project::cache()?.join("tools"))
            .env("SERVERS", servers.addresses().to_string())
            .env("RESULTS", &folder),
    )?;
    // A server that died explains more than the tests that failed by it.
    servers.check()?;
    Ok(tally)
}
