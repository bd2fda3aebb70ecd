//! The targets of `fuzz`, which read bytes from outside, each for some seconds by cargo-fuzz. It sees which branches a
//! parser takes, and needs a nightly compiler for that.

use super::Selection;
use super::tally::Tally;
use crate::tools::{self, toolchain};
use crate::{child, interrupt, project, say};
use anyhow::{Context, Result};
use fs_err as fs;
use std::process::Command;

/// How long each target is tried.
const SECONDS_A_TARGET: u32 = 15;
/// A parser that takes longer would hold a payer's page up; the checks of memory make each several times slower.
const LONGEST_INPUT_SECONDS: u32 = 2;
/// The crate of the targets.
const FOLDER: &str = "crates/testing/fuzz";
/// Inputs are not longer than this.
const LONGEST_INPUT_BYTES: u32 = 4096;

/// Tries each target. Without a nightly compiler it says so, and tries nothing.
pub(super) fn run(_: &Selection) -> Result<Tally> {
    let Some(nightly) = toolchain::nightly() else {
        say::progress(
            "fuzz",
            "NOT TESTED: there is no nightly compiler (with rustup: `rustup toolchain install nightly`)",
        );
        return Ok(Tally::default());
    };
    say::progress("fuzz", nightly);
    let program = tools::cargo_fuzz().install()?;
    let output = project::output("fuzz");
    let mut tally = Tally::default();
    for target in targets()? {
        let corpus = output.join("corpus").join(&target);
        fs::create_dir_all(&corpus)?;
        let mut fuzz = Command::new(&program);
        fuzz.args(["fuzz", "run", "--fuzz-dir", FOLDER, "--target-dir"])
            .arg(&output)
            .arg(&target)
            // New inputs go to the first folder, and the repository's is only read.
            .arg(&corpus)
            .arg(project::root().join(FOLDER).join("corpus").join(&target))
            .arg("--")
            .arg(format!("-max_total_time={SECONDS_A_TARGET}"))
            .arg(format!("-timeout={LONGEST_INPUT_SECONDS}"))
            .arg(format!("-max_len={LONGEST_INPUT_BYTES}"))
            .current_dir(project::root());
        let title = format!("inputs for {target}");
        let done = child::run_ok_quietly(toolchain::with_nightly(&mut fuzz), &title);
        interrupt::check()?;
        tally += Tally::one(done.is_ok());
        match done {
            Ok(()) => say::progress("fuzz", format!("{target} kept its promises")),
            Err(error) => {
                say!("{error:#}");
                tally.failures.push(target);
            }
        }
    }
    Ok(tally)
}

/// The names of the targets, in the order of the alphabet.
fn targets() -> Result<Vec<String>> {
    let folder = project::root().join(FOLDER).join("fuzz_targets");
    let mut names = Vec::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_stem().and_then(|name| name.to_str());
        names.push(name.context("a target without a name")?.to_owned());
    }
    names.sort();
    Ok(names)
}
