//! Checks the JavaScript and CSS: types and lints, one of them for the oldest browsers. A warning is an error here.

use super::command::check;
use super::tally::Tally;
use crate::{project, tools, wasm};
use anyhow::Result;

/// Modules that are checked together, as they run: in a browser, in Node, as the ground of the tests, and as tests.
const TYPED: [&str; 4] = [
    "../www/tsconfig.json",
    "tsconfig.json",
    "../tests/tsconfig.json",
    "../tests/tsconfig.specs.json",
];

/// The modules that ship, and what the build makes of them and of the glue.
const SHIPPED: [&str; 5] = [
    "www/element",
    "www/shared",
    "www/staff-element",
    "target/element",
    "target/operations",
];

pub(crate) fn run() -> Result<Tally> {
    // The modules import the glue, and the build makes the types of both.
    wasm::build()?;
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
