//! The demo's pages build.

use super::command::check;
use super::tally::Tally;
use crate::{project, tools};
use anyhow::Result;
use std::process::Command;

/// `trunk build`, into a folder that a running demo does not serve from.
pub(crate) fn run() -> Result<Tally> {
    let trunk = tools::trunk()?;
    check(
        Command::new(trunk)
            .args([
                "build",
                "--skip-version-check",
                "--color",
                "never",
                "--dist",
            ])
            .arg(project::output("pages")),
    )
}
