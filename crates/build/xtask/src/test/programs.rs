//! The test programs of the workspace, compiled by one call of cargo, and run by as many steps as want some of them.

use super::tally::{self, Tally, cargo};
use crate::{child, interrupt, say};
use anyhow::{Result, bail};
use serde::Deserialize;
use std::path::PathBuf;
use std::process::Command;

/// How many tests of one program run at once. More than cores: the longest tests wait for servers and clocks.
const THREADS: &str = "6";

/// A program with tests of one crate.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) package: String,
    /// The name of the library, the binary or the file of tests.
    pub(super) target: String,
    executable: PathBuf,
    folder: PathBuf,
}

/// What cargo says of a thing that it compiled, as far as it is of use here.
#[derive(Deserialize)]
struct Artifact {
    package_id: String,
    manifest_path: PathBuf,
    target: Target,
    executable: Option<PathBuf>,
    profile: Profile,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// Compiles all test programs but those of some crates, or as much of them as has changed.
fn compile(left_out: &[&str]) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    let mut command = cargo("tests --no-run --message-format=json-render-diagnostics");
    command.args(left_out.iter().flat_map(|package| ["--exclude", package]));
    let compiled = child::run_lines(&mut command, |line| programs.extend(program(line)))?;
    if !compiled {
        bail!("the tests do not compile; cargo's words are above");
    }
    Ok(programs)
}

/// The test program that a line of cargo's report names.
fn program(line: &str) -> Option<Program> {
    let artifact: Artifact = serde_json::from_str(line).ok()?;
    let executable = artifact.executable.filter(|_| artifact.profile.test)?;
    // `path+file:///clone/crates/payment#0.1.0`, or with a folder of another name, `…/crates#payment@0.1.0`.
    let (place, version) = artifact.package_id.rsplit_once('#')?;
    let package = match version.split_once('@') {
        Some((name, _)) => name,
        None => place.rsplit('/').next()?,
    };
    Some(Program {
        package: package.to_owned(),
        target: artifact.target.name,
        executable,
        folder: artifact.manifest_path.parent()?.to_owned(),
    })
}

/// Runs the test programs of all crates but those `left_out`.
pub(super) fn run_all_but(left_out: &[&str]) -> Result<Tally> {
    let programs = compile(left_out)?;
    run_each(programs.iter(), |_| {})
}

/// Runs the test programs that `chosen` says. `adapt` adds to each command what tests are to run, and how.
pub(super) fn run(
    chosen: impl Fn(&Program) -> bool,
    adapt: impl Fn(&mut Command),
) -> Result<Tally> {
    let programs = compile(&[])?;
    run_each(programs.iter().filter(|program| chosen(program)), adapt)
}

/// One after the other, and to the last one.
fn run_each<'a>(
    programs: impl Iterator<Item = &'a Program>,
    adapt: impl Fn(&mut Command),
) -> Result<Tally> {
    let mut tally = Tally::default();
    for program in programs {
        interrupt::check()?;
        say!("     Running {} of {}", program.target, program.package);
        let mut command = program.command();
        adapt(&mut command);
        let (of_program, succeeded) = tally::read(&mut command)?;
        // A program may have none of the tests that are wanted.
        tally += if succeeded {
            of_program
        } else {
            of_program.judged(false)
        };
    }
    Ok(tally.judged(true))
}

impl Program {
    /// The command that runs its tests as cargo does, with the time of each.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command
            .current_dir(&self.folder)
            .env("RUST_TEST_THREADS", THREADS)
            // The times are unstable: a pinned toolchain may print them with this.
            .env("RUSTC_BOOTSTRAP", "1")
            .args(["-Zunstable-options", "--report-time"]);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_read_from_the_report_of_cargo_and_other_lines_are_not() {
        let line = |id: &str, test: bool| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"path+file:///clone/{id}","manifest_path":"/clone/crates/payment/Cargo.toml","target":{{"kind":["lib"],"name":"payment_lib"}},"profile":{{"test":{test}}},"executable":"/clone/target/debug/deps/payment-1"}}"#
            )
        };
        let expected = Program {
            package: "payment".to_owned(),
            target: "payment_lib".to_owned(),
            executable: "/clone/target/debug/deps/payment-1".into(),
            folder: "/clone/crates/payment".into(),
        };
        assert_eq!(
            program(&line("crates/payment#0.1.0", true)).as_ref(),
            Some(&expected)
        );
        assert_eq!(program(&line("crates#payment@0.1.0", true)), Some(expected));
        assert_eq!(program(&line("crates/payment#0.1.0", false)), None);
        assert_eq!(
            program(r#"{"reason":"build-finished","success":true}"#),
            None
        );
    }
}
