//! Checks the JavaScript and CSS: types and lints, one of them for the oldest browsers. A warning is an error here.

use super::command::check;
use super::tally::Tally;
use crate::{project, tools, wasm};
use anyhow::Result;

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
    let mut tally = Tally::default();
    for project in ["../www/tsconfig.json", "tsconfig.json"] {
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
