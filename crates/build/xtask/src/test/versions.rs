//! The server of an earlier commit beside that of the working tree, on one database of PostgreSQL.

use super::Selection;
use super::tally::{Tally, cargo, count};
use crate::{child, project, say, tools};
use anyhow::{Context, Result, ensure};
use fs_err as fs;
use std::path::PathBuf;
use std::process::Command;

/// The migrations of the server, for each engine.
const MIGRATIONS: &str = "crates/server/merchant-backend/migrations";

pub(super) fn run(_: &Selection) -> Result<Tally> {
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
