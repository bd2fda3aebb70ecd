//! This version beside an earlier one: the server of an earlier commit beside that of the working tree, on one database of
//! PostgreSQL; and the public items of the crates that others build on, compared with the last release by
//! cargo-semver-checks. Until there is a release, `crates/testing/interfaces` shows each change.

use super::Selection;
use super::tally::{Tally, cargo, count};
use crate::{child, interrupt, project, say, tools};
use anyhow::{Context, Result, ensure};
use fs_err as fs;
use std::path::PathBuf;
use std::process::Command;

/// The migrations of the server, for each engine.
const MIGRATIONS: &str = "crates/server/merchant-backend/migrations";

pub(super) fn servers(_: &Selection) -> Result<Tally> {
    tools::install_postgres()?;
    let wanted = std::env::var("AGAINST").unwrap_or_else(|_| "HEAD^".to_owned());
    let mut find = git(&format!("rev-parse --verify --quiet {wanted}^{{commit}}"));
    let commit = child::output(&mut find).with_context(|| {
        format!(
            "this clone does not have the commit {wanted}, whose server runs beside this one; a shallow clone gets a \
             parent with `git fetch --deepen=1`, and AGAINST=COMMIT names another commit"
        )
    })?;
    // In a commit that has them elsewhere all would count as added.
    let mut look = git(&format!("cat-file -e {commit}:{MIGRATIONS}"));
    ensure!(
        child::output(&mut look).is_some(),
        "{wanted} has no folder {MIGRATIONS}, so its migrations cannot be compared with these"
    );
    // Migrations may be added.
    let mut compare = git(&format!(
        "diff --name-only --no-renames --diff-filter=a {commit} -- {MIGRATIONS}"
    ));
    let changed = child::output(&mut compare).context("git could not compare migrations")?;
    ensure!(
        changed.is_empty(),
        "{wanted} has other migrations ({}): nodes with a database of that version cannot be restarted one by one, \
         and CHANGELOG.md has to say so",
        changed.replace('\n', ", ")
    );
    let earlier = server_of(&commit)?;
    // A feature adds the test, so that no other run has it.
    count(
        cargo("tests --features merchant-backend/versions --test payments nodes::versions::")
            .env("TEST_DATABASE", "postgres")
            .env("TEST_EARLIER_SERVER", earlier),
    )
}

/// `git` with these arguments.
fn git(words: &str) -> Command {
    let mut command = Command::new("git");
    command.args(words.split_whitespace());
    command
}

/// Compiles the server of a commit.
fn server_of(commit: &str) -> Result<PathBuf> {
    say::progress("versions", format!("the server of {commit} is being built"));
    let folder = project::output("versions");
    let sources = folder.join("sources");
    fs::create_dir_all(&sources)?;
    // This writes only the files that differ from those of the last commit, so cargo compiles no other crate. An
    // index of its own leaves no trace in git's folder, as a worktree would.
    child::run_ok(
        git(&format!("read-tree --reset -u {commit}"))
            .env("GIT_WORK_TREE", &sources)
            .env("GIT_INDEX_FILE", folder.join("index")),
    )?;
    let target = project::cargo_target()?;
    // The crates and the example have the features of `cargo tests`, so both versions share compiled dependencies.
    let words = "build --workspace --exclude bench --exclude interfaces --bin merchant-backend --example smallest_shop";
    child::run_ok(
        cargo(words)
            .current_dir(&sources)
            .env("CARGO_TARGET_DIR", &target)
            // Cargo gives a crate one name in both folders, and would take one version for the other. Other debug
            // information, which dependencies lack anyway, is another name.
            .env("CARGO_PROFILE_DEV_DEBUG", "0"),
    )
    .with_context(|| format!("the server of {commit} could not be built"))?;
    // The build of this version's server takes its place.
    let kept = folder.join("merchant-backend");
    fs::copy(target.join("debug/merchant-backend"), &kept)?;
    Ok(kept)
}

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
pub(super) fn public_items(_: &Selection) -> Result<Tally> {
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
