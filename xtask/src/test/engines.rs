//! Payments in other engines than a new Chromium: Firefox, WebKit, and old Chromiums.

use super::Selection;
use super::command::count_node;
use super::servers::Servers;
use super::tally::Tally;
use crate::stack;
use crate::tools::{self, Trunk};
use crate::wasm::Edition;
use crate::{folders, project, say, wasm};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// Starts the servers with empty databases and lets each engine that can be had play its stories:
/// one payment, and with `--all` or `--only` the long ones too.
pub(crate) fn run(selection: &Selection) -> Result<Tally> {
    tools::test_packages()?;
    let engines = tools::engines()?;
    Trunk::install()?;
    stack::build_tested_servers()?;
    wasm::build()?;

    let folder = project::output("engines");
    let mut servers = Servers::start(&folder, 1, 1, Edition::Shipped)?;
    let mut sum = Tally::default();
    // One after the other: a browser that starts wants a whole small machine.
    for engine in &engines {
        let start = Instant::now();
        let long = engine.pays && selection.is_long("engines");
        sum += count_node(
            Command::new("node")
                .args([
                    "--test",
                    "--test-reporter",
                    "tap",
                    "--test-concurrency",
                    "1",
                ])
                .args(stories(long)?)
                .env("ENGINE", engine.name)
                .env("ENGINE_PROGRAM", &engine.program)
                .env("SERVERS", servers.addresses().to_string())
                .env("RESULTS", &folder),
        )?;
        say::progress(
            "engines",
            format!("{} took {}", engine.name, say::duration(start.elapsed())),
        );
        // A server that died explains more than the tests that failed by it.
        servers.check()?;
    }
    Ok(sum)
}

fn stories(long: bool) -> Result<Vec<PathBuf>> {
    let folder = project::root().join("tests/engines");
    let mut files = vec![folder.join("short.test.mjs")];
    if long {
        files.extend(folders::files(&folder.join("long"))?);
    }
    Ok(files)
}
