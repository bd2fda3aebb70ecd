//! Steps of Node: types and lints of JavaScript and CSS, the contract, and the documents. A warning is an error here.

use super::Selection;
use super::tally::{Tally, check, count};
use crate::wasm::Edition;
use crate::{project, tools, wasm};
use anyhow::Result;
use std::process::Command;

/// Modules that are checked together, as they run: in a browser, in Node, as the ground of the tests, and as tests.
const TYPED: [&str; 4] = [
    "../www/tsconfig.json",
    "tsconfig.json",
    "../tests/tsconfig.json",
    "../tests/tsconfig.specs.json",
];

/// The modules that ship, and what the build makes of them and of the glue.
const SHIPPED: [&str; 6] = [
    "crates/pay-page/src",
    "www/element",
    "www/shared",
    "www/staff-element",
    "target/element",
    "target/operations",
];

/// Types and lints, one of them for the oldest browsers.
pub(super) fn types_and_lints(_: &Selection) -> Result<Tally> {
    // The modules import the glue, and the build makes the types of both.
    wasm::build(Edition::Development)?;
    wasm::build(Edition::Shipped)?;
    let packages = tools::build_packages()?;
    // Types of what the tests import.
    tools::test_packages()?;
    let mut tally = Tally::default();
    for project in TYPED {
        let mut types = packages.command("tsc");
        tally += check(types.args(["--project", project]))?;
    }
    let mut lints = packages.command("biome");
    tally += check(lints.args(["lint", "--error-on-warnings", ".."]))?;
    let mut modules = packages.command("eslint");
    let modules = modules.args(["--config", "tools/eslint.config.mjs", "--max-warnings", "0"]);
    // It reads nothing outside of the folder that it runs in.
    tally += check(modules.args(SHIPPED).current_dir(project::root()))?;
    let mut sheets = packages.command("stylelint");
    let sheets = sheets.args(["--config", "stylelint.config.mjs", "--max-warnings", "0"]);
    tally += check(sheets.arg("../www/**/*.css"))?;
    Ok(tally)
}

/// The contract with the merchant's server is valid by the schema of OpenAPI itself. The server's own tests check
/// that the server keeps the contract.
pub(super) fn contract(_: &Selection) -> Result<Tally> {
    let mut validate = tools::test_packages()?.command("validate-api");
    check(validate.arg("../docs/openapi.yaml"))
}

/// The documents name and quote what is there, and those in Spanish say what the English ones say.
pub(super) fn prose(_: &Selection) -> Result<Tally> {
    count(&mut node_tests(&[
        "tests/documents/documents.test.mjs",
        "tests/documents/languages.test.mjs",
    ]))
}

/// Node's own runner with these files of the repository.
pub(super) fn node_tests(files: &[&str]) -> Command {
    let mut command = Command::new("node");
    command
        .args(["--test", "--test-reporter", "tap"])
        .args(files.iter().map(|file| project::root().join(file)));
    command
}
