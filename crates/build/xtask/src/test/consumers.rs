//! The npm package in other projects' pages: packed, checked by npm's linters, installed, built,
//! and paid with.

use super::Selection;
use super::end_to_end::Playwright;
use super::javascript::{node_tests, old_browsers};
use super::servers::Servers;
use super::tally::{Tally, cargo, check, count};
use crate::servers;
use crate::tools::BuildTools;
use crate::tools::toolchain::TARGET;
use crate::wasm::Edition;
use crate::{child, folders, package, project, say, tools};
use anyhow::Result;
use demo_stack::Ports;
use fs_err as fs;
use std::path::Path;
use std::process::Command;

/// They share the servers, since one of the pages names an address of them.
const WORKERS: usize = 2;

/// All that the package exports can be imported. A quick run takes the development edition.
pub(super) fn imports(selection: &Selection) -> Result<Tally> {
    let folder = if selection.is_quick() {
        package::build_development()?
    } else {
        package::build()?;
        package::folder()
    };
    count(node_tests(&["tests/package/imports.test.mjs"]).env("PACKAGE", folder))
}

/// Packs the package and builds every consumer with it.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let tools = tools::for_build(true)?;
    let node = &tools::test_packages()?;
    let browser = tools::browser()?;
    servers::build_tested()?;
    package::run()?;
    let tarball = package::tarball()?;
    // npm's own linters read the manifest, and the types for every module system.
    let mut publint = node.command("publint");
    let mut tally = check(publint.arg("--strict").arg(package::folder()))?;
    let mut attw = node.command("attw");
    let attw = attw.args(["--profile", "esm-only", "--no-emoji", "--format", "ascii"]);
    tally += check(attw.arg(&tarball))?;
    // What the build makes of the modules and of the glue.
    tally += old_browsers(&tools.node, &["target/element", "target/operations"])?;
    let files = [
        "tests/package/package.test.mjs",
        "tests/package/verify.test.mjs",
        "tests/package/verify-page.test.mjs",
    ];
    tally += count(node_tests(&files).env("PACKAGE", package::folder()))?;
    let folder = project::output("consumers");
    say::progress("consumers", "pages are being installed and built");
    let backend = format!("127.0.0.1:{}", Ports::for_tests().backend);
    tally += count(
        node_tests(&["tests/consumers/build.mjs"])
            .env("TARBALL", &tarball)
            .env("BACKEND", backend),
    )?;
    tally += Tally::one(build_yew_page(&tools, &folder.join("yew"))?);
    let mut servers = Servers::start(&folder, 1, 1, Edition::Shipped)?;
    let playwright = Playwright {
        node,
        browser: &browser,
        folder,
        selection,
    };
    tally += playwright.run(&mut servers, "consumers", WORKERS)?;
    Ok(tally)
}

/// Builds the page that is itself a Yew app, with the crate's component or with the element of the package. True when
/// that succeeded.
fn build_yew_page(tools: &BuildTools, folder: &Path) -> Result<bool> {
    let example = "yew_page";
    // Examples come with the tests; named by itself, one would be a test.
    let mut build = cargo("browser-tests --no-run --target");
    if !child::run(build.arg(TARGET))? {
        return Ok(false);
    }
    folders::empty(folder)?;
    let built = project::cargo_target()?.join(TARGET).join("debug/examples");
    child::run_ok(
        Command::new(&tools.bindgen)
            .arg(built.join(format!("{example}.wasm")))
            .arg(example)
            .arg(folder),
    )?;
    let source = project::root().join("tests/consumers").join(example);
    for name in ["index.html", "main.js"] {
        fs::copy(source.join(name), folder.join(name))?;
    }
    folders::copy(&package::folder().join("element"), &folder.join("element"))?;
    Ok(true)
}
