//! The demo's pages build.

use super::command::check;
use super::tally::Tally;
use crate::project;
use crate::tools::Trunk;
use anyhow::Result;

/// `trunk build`, into a folder that a running demo does not serve from.
pub(crate) fn run() -> Result<Tally> {
    let mut build = Trunk::install()?.command("build");
    check(build.arg("--dist").arg(project::output("pages")))
}
