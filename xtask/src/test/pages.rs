//! The demo's pages build.

use super::Selection;
use super::tally::{Tally, check};
use crate::project;
use crate::tools::Trunk;
use anyhow::Result;

/// `trunk build`, into a folder that a running demo does not serve from.
pub(super) fn run(_: &Selection) -> Result<Tally> {
    let mut build = Trunk::install()?.command("build");
    check(build.arg("--dist").arg(project::output("pages")))
}
