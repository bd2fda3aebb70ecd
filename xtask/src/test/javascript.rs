//! Checks the JavaScript and CSS: types and lints. A warning is an error here.

use super::command::check;
use super::tally::Tally;
use crate::{tools, wasm};
use anyhow::Result;

pub(crate) fn run() -> Result<Tally> {
    // The modules import the glue, and the build makes the types of both.
    wasm::build()?;
    let packages = tools::build_packages()?;
    let mut types = packages.command("tsc");
    let mut tally = check(types.args(["--project", "../www/tsconfig.json"]))?;
    let mut lints = packages.command("biome");
    tally += check(lints.args(["lint", "--error-on-warnings", ".."]))?;
    Ok(tally)
}
