//! The npm package in other projects' pages: packed, checked by npm's linters, installed, built,
//! and paid with.

mod page;
mod start;
mod yew;

use super::command::check;
use super::end_to_end::Playwright;
use super::servers::Servers;
use super::tally::Tally;
use super::{Selection, command};
use crate::stack::{self, Ports};
use crate::tools::{NodePackages, Trunk};
use crate::wasm::Edition;
use crate::{package, project, say, tools};
use anyhow::Result;
use page::Page;
use std::process::Command;

/// The pages, by their folders in `tests/consumers`.
const PAGES: [&str; 5] = ["plain", "react", "svelte", "vue", "webpack"];

/// They share the servers, since one of the pages names an address of them.
const WORKERS: usize = 2;

/// Packs the package and builds every consumer with it.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let tools = tools::for_build()?;
    let node = &tools::test_packages()?;
    let browser = tools::browser()?;
    Trunk::install()?;
    stack::build_tested_servers()?;
    package::run()?;
    let mut sum = linters(node)?;
    sum += types(&tools.node)?;
    let folder = project::output("consumers");
    for name in PAGES {
        say::progress("consumers", format!("{name} is being installed and built"));
        sum += Tally::one(Page::named(name).build()?);
    }
    say::progress("consumers", "yew is being built");
    sum += Tally::one(yew::build(&tools)?);
    say::progress("consumers", "docs/start.md is being followed");
    sum += Tally::one(start::follow(
        &folder.join("start"),
        Ports::for_tests().backend,
    )?);
    let mut servers = Servers::start(&folder, 1, 1, Edition::Shipped)?;
    let playwright = Playwright {
        node,
        browser: &browser,
        folder,
        selection,
    };
    sum += playwright.run(&mut servers, "consumers", WORKERS)?;
    Ok(sum)
}

/// Compiles pages without a framework, each mistake of which must be refused; those in a framework are among the
/// files of its page.
fn types(node: &NodePackages) -> Result<Tally> {
    let pages = ["--project", "../tests/package/types"];
    check(node.command("tsc").args(pages))
}

/// Checks the package with npm's linters: its manifest, and its types for every module system. Also
/// checks that importing it on a server does nothing.
fn linters(node: &NodePackages) -> Result<Tally> {
    let mut sum = check(
        node.command("publint")
            .arg("--strict")
            .arg(package::folder()),
    )?;
    sum += check(
        node.command("attw")
            .args(["--profile", "esm-only", "--no-emoji", "--format", "ascii"])
            .arg(package::tarball()?),
    )?;
    let tests = project::root().join("tests/package/package.test.mjs");
    sum += command::count_node(
        Command::new("node")
            .args(["--test", "--test-reporter", "tap"])
            .arg(tests)
            .env("PACKAGE", package::folder()),
    )?;
    Ok(sum)
}
