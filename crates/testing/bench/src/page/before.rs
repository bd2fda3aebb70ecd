//! The element of an earlier commit, built once by that commit's own chores and kept.

use anyhow::{Context, Result, bail};
use demo_stack::{child, say};
use fs_err as fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::project;

/// The npm package of `commit`, in `target/bench/before-<commit>`.
pub(super) fn package(commit: &str) -> Result<PathBuf> {
    let commit = whole_name(commit)?;
    let folder = project::output("bench").join(format!("before-{commit}"));
    let package = folder.join("package");
    // It is put there at the end, so a build that was interrupted begins anew.
    if package.exists() {
        say::progress("bench", format!("the element of {commit} is there"));
        return Ok(package);
    }
    say::progress(
        "bench",
        format!("the element of {commit} is being built, once; some minutes"),
    );
    let sources = folder.join("sources");
    take_out(&commit, &sources)?;
    child::run_ok(
        Command::new("cargo")
            .args(["xtask", "package"])
            .current_dir(&sources)
            // In a folder that both share, their other flags would compile the working tree's wasm anew.
            .env("CARGO_TARGET_DIR", sources.join("target"))
            // That commit names its own compiler.
            .env_remove("RUSTUP_TOOLCHAIN"),
    )
    .with_context(|| format!("the package of {commit} could not be built"))?;
    let built = sources.join("target/npm/payment-checkout-element");
    fs::rename(&built, &package)
        .with_context(|| format!("the chores of {commit} did not leave {}", built.display()))?;
    // Its tools and builds are large, and nothing else of it is needed.
    fs::remove_dir_all(&sources)?;
    Ok(package)
}

/// The commit's whole hash. A shallow clone does not have every commit.
fn whole_name(commit: &str) -> Result<String> {
    let object = format!("{commit}^{{commit}}");
    let mut git = Command::new("git");
    git.args(["rev-parse", "--verify", "--quiet", "--end-of-options"])
        .arg(object);
    let Some(name) = child::output(&mut git) else {
        bail!(
            "this clone does not have the commit {commit}, whose element is compared; a shallow \
             clone gets it with `git fetch --unshallow`, and `--against COMMIT` takes another one"
        );
    };
    Ok(name)
}

/// Writes the files of the commit to `sources`. An archive leaves no trace in git's own folder, as a worktree would.
fn take_out(commit: &str, sources: &Path) -> Result<()> {
    if sources.exists() {
        fs::remove_dir_all(sources)?;
    }
    fs::create_dir_all(sources)?;
    let archive = sources.join("sources.tar");
    child::run_ok(
        Command::new("git")
            .args(["archive", "--format", "tar", "--output"])
            .arg(&archive)
            .arg(commit),
    )?;
    child::run_ok(
        Command::new("tar")
            .arg("-xf")
            .arg(&archive)
            .arg("-C")
            .arg(sources),
    )?;
    fs::remove_file(&archive).context("could not remove an archive")
}
