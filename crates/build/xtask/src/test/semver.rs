//! The public items of the crates that others build on, compared with the last release by cargo-semver-checks. Until there is
//! a release, `crates/testing/interfaces` shows each change.

use super::Selection;
use super::tally::Tally;
use crate::{child, interrupt, project, say, tools};
use anyhow::Result;
use std::process::Command;

/// The crates with a snapshot in `crates/testing/interfaces`. Only their default features are promised: the others are for the
/// project's own programs.
const CRATES: [&str; 5] = [
    "payment-checkout",
    "payment-model",
    "checkout-flow",
    "merchant-backend",
    "staff-model",
];

/// Refuses a change that breaks those who build on the last release under a version that does not say so.
pub(super) fn run(_: &Selection) -> Result<Tally> {
    let Some(release) = last_release() else {
        say::progress(
            "semver",
            "NOT COMPARED: no commit before this one has the tag of a release, such as v0.1.0",
        );
        return Ok(Tally::default());
    };
    say::progress("semver", format!("against {release}"));
    let program = tools::cargo_semver_checks().install()?;
    let mut tally = Tally::default();
    for name in CRATES {
        let mut compare = Command::new(&program);
        compare
            .args(["semver-checks", "--default-features", "--package", name])
            .args(["--baseline-rev", &release])
            .current_dir(project::root());
        let done = child::run_ok_quietly(&mut compare, &format!("{name} against {release}"));
        interrupt::check()?;
        tally += Tally::one(done.is_ok());
        if let Err(error) = done {
            say!("{error:#}");
            tally.failures.push(name.to_owned());
        }
    }
    Ok(tally)
}

/// The tag of the release before this commit, which may itself be one.
fn last_release() -> Option<String> {
    let mut describe = Command::new("git");
    describe
        .args([
            "describe",
            "--tags",
            "--abbrev=0",
            "--match",
            "v[0-9]*",
            "HEAD^",
        ])
        .current_dir(project::root());
    child::output(&mut describe)
}
