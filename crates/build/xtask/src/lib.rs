//! The project's chores as a program: `cargo xtask <chore>`.
//!
//! A newcomer has Rust and Node; everything else that a chore needs, it installs by itself,
//! at pinned versions, and says so while it does it. The few flags are read by a `match`: a library
//! for them would be compiled before anybody's first chore. It is a library so that `crates/testing/bench`, which no
//! other chore compiles, uses its tools and servers.

mod demo;
mod folders;
mod links;
pub mod measurement;
mod mutants;
mod names;
mod package;
pub mod project;
mod release;
mod servers;
mod site;
mod size;
mod test;
mod tools;
mod wasm;

use anyhow::{Result, bail};
use demo_stack::{child, interrupt, say};
use std::process::{Command, ExitCode};

const HELP: &str = "\
The project's chores. Each installs the tools that it needs and prints its steps.

  cargo xtask demo                  shop, its server, sandbox and receiver of events, until Ctrl-C
  cargo xtask demo --shipped        the same with the elements as they ship
  cargo xtask demo --nodes N        its server N times, on PostgreSQL
  cargo xtask demo --shop ADDRESS   lets a shop of your own at http://127.0.0.1:PORT use its server
  cargo xtask servers               the demo but for its pages, which `trunk serve` then serves
  cargo xtask test                  whether the product works here; ends with the line `N passed, N failed`
  cargo xtask test --landing        everything that a change must pass
  cargo xtask test --all            the same, and what takes longer
  cargo xtask test --only STEP      one step (may be repeated); `--list` names the steps
  cargo xtask test --only e2e -- …  passes the arguments after `--` to Playwright, or to Node.js (screen-reader)
  cargo xtask front WHAT            types, lint, format or watch (tests of modules after each change)
  cargo xtask stack                 the four servers on the ports of the tests, until Ctrl-C
  cargo xtask size                  the browser's downloads, against crates/build/xtask/budget.toml
  cargo xtask bench [WHAT]          measures what a change might slow down; without WHAT it lists the measurements
  cargo xtask mutants [PACKAGE]     breaks the rules one by one; their unit tests must notice
  cargo xtask torture               looks for lost and doubled money (`--seed S`, `--minutes M`, `--only PART`)
  cargo xtask print                 whatever repeats what Rust declares: types, tables, texts, the first screen
  cargo xtask package               the npm package into target/npm
  cargo xtask release               everything that a release publishes into target/release-files
  cargo xtask release --publish     publishes these files and the crates, once every name is ours (crates/build/xtask/names.json)
  cargo xtask release --may-publish says whether every name is ours
  cargo xtask wasm                  the elements into target/element and target/operations
  cargo xtask wasm --development    the development edition into target/development: a stop names its place
  cargo xtask site                  the guides, the API and a playground into target/site (`--base /path/`)
  cargo xtask tools                 every tool, without a build";

/// Runs a program of chores with the words of its command line, in the top folder of the repository.
/// An error becomes a message at the terminal and a failure.
pub fn program(run: fn(&[&str]) -> Result<ExitCode>) -> ExitCode {
    demo_stack::program(|words| {
        // A call from a subfolder works too.
        std::env::set_current_dir(project::root())?;
        run(words)
    })
}

/// Runs the chore that the words name.
pub fn run(words: &[&str]) -> Result<ExitCode> {
    match words {
        [] | ["help" | "--help" | "-h"] | [_, "--help" | "-h"] => say!("{HELP}"),
        ["demo", flags @ ..] => demo::run(&demo::Wish::parse(flags)?)?,
        ["servers"] => demo::run_for_trunk()?,
        ["stack"] => demo::run_for_tests()?,
        ["test", flags @ ..] => return test::run(&test::Selection::parse(flags)?),
        ["front", what] => return Ok(exit(test::front(what)?)),
        ["size"] => return Ok(exit(size::measure()?)),
        ["bench", words @ ..] => bench(words)?,
        ["mutants", words @ ..] => return Ok(exit(mutants::run(words)?)),
        ["torture", words @ ..] => return torture(words),
        ["print"] => print()?,
        ["package"] => package::run()?,
        ["release"] => release::run()?,
        ["release", "--publish"] => release::publish::run(&names::Names::read()?)?,
        ["release", "--may-publish"] => names::Names::read()?.all_ours()?,
        ["wasm"] => wasm::build(wasm::Edition::Shipped)?,
        ["wasm", "--development"] => wasm::build(wasm::Edition::Development)?,
        ["site", words @ ..] => site::run(words)?,
        ["tools"] => tools::install_all()?,
        [chore, rest @ ..] => bail!(
            "there is no chore `{chore}`{}; `cargo xtask --help` lists them",
            if rest.is_empty() {
                String::new()
            } else {
                format!(" with `{}`", rest.join(" "))
            }
        ),
    }
    Ok(ExitCode::SUCCESS)
}

fn exit(good: bool) -> ExitCode {
    ExitCode::from(u8::from(!good))
}

/// The printing program knows the views, so it is a crate of its own.
fn print() -> Result<()> {
    let mut print = Command::new("cargo");
    child::run_ok(print.args(["run", "--quiet", "--package", "element-printer"]))
}

/// Measurements are a crate of their own, and optimized, because a load generator must not be the slower side.
fn bench(words: &[&str]) -> Result<()> {
    say::progress(
        "bench",
        "the measurements are being compiled (some minutes, once)",
    );
    let mut bench = Command::new("cargo");
    bench.args(["run", "--quiet", "--release", "--package", "bench", "--"]);
    child::run_ok(bench.args(words))
}

/// The search for lost and doubled money is optimized, since it plays thousands of stories.
fn torture(words: &[&str]) -> Result<ExitCode> {
    say::progress(
        "torture",
        "the servers and the search are being compiled (some minutes, once)",
    );
    let mut torture = Command::new("cargo");
    torture.args(["run", "--quiet", "--profile", "torture"]);
    torture.args(["--package", "torture"]);
    if words.contains(&"--planted") {
        torture.args(["--features", "planted"]);
    }
    Ok(exit(child::run(torture.arg("--").args(words))?))
}
