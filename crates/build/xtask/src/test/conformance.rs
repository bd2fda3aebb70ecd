//! The conformance run of the package, against our own server, the servers of `examples/servers` and broken ones.

use super::Selection;
use super::javascript::node_tests;
use super::shops;
use super::tally::{Tally, count};
use crate::servers::{self, Profile};
use crate::{folders, project};
use anyhow::Result;

/// The run is green where it should be, and names the mistake where a server has one. A language that the machine
/// lacks is treated as in the step `shops`.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let (mut tally, languages) = shops::languages("conformance", selection);
    servers::build_tested()?;
    let results = project::output("conformance");
    // The databases of the last time would know its orders.
    folders::empty(&results)?;
    tally += count(
        node_tests(&[
            "tests/conformance/command.test.mjs",
            "tests/conformance/breaks.test.mjs",
            "tests/conformance/conformance.test.mjs",
        ])
        .env("LANGUAGES", languages.join(","))
        .env("PROGRAMS", Profile::Debug.folder()?)
        .env("RESULTS", &results),
    )?;
    Ok(tally)
}
