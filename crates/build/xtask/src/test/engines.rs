//! Payments in other engines than a new Chromium: Firefox, WebKit, and old Chromiums; in a new one in pages that it loads in
//! advance; and in Firefox by ear.

use super::Selection;
use super::servers::Servers;
use super::tally::{Tally, count, read};
use crate::project;
use crate::servers;
use crate::tools;
use crate::wasm::{self, Edition};
use anyhow::Result;
use std::process::Command;

/// Starts the servers with empty databases and lets each engine that can be had play its stories:
/// one payment, or the first of pages in advance, and with `--all` or `--only` the long ones too.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    tools::test_packages()?;
    let packages = tools::engine_packages()?;
    tools::engines()?;
    let mut play = packages.script("run.mjs");
    if selection.is_long("engines") {
        // One of the long stories looks at the gallery.
        wasm::build(Edition::Development)?;
        play.arg("--long");
    }
    if tools::is_debian() {
        // All of them can be installed there, so an absent one is a fault.
        play.arg("--every");
    }
    play.env("UNPACKED", project::cache()?.join("tools"))
        .env("CHROME", tools::browser()?.chrome);
    with_servers("engines", &mut play, count)
}

/// Payments as a screen reader reads them. A machine without one is told what to install, and that nothing was tested.
pub(super) fn screen_reader(selection: &Selection) -> Result<Tally> {
    tools::test_packages()?;
    let mut listen = tools::engine_packages()?.script("../screen-reader/run.mjs");
    listen.args(&selection.runner_arguments);
    with_servers("screen-reader", &mut listen, |command| {
        let (tally, succeeded) = read(command)?;
        Ok(if succeeded {
            tally
        } else {
            tally.judged(false)
        })
    })
}

fn with_servers(
    name: &str,
    script: &mut Command,
    run: impl Fn(&mut Command) -> Result<Tally>,
) -> Result<Tally> {
    servers::build_tested()?;
    wasm::build(Edition::Shipped)?;
    let folder = project::output(name);
    let mut servers = Servers::start(&folder, 1, 1, Edition::Shipped)?;
    script.env("SERVERS", servers.addresses().to_string());
    let tally = run(script.env("RESULTS", &folder))?;
    // A server that died explains more than the tests that failed by it.
    servers.check()?;
    Ok(tally)
}
