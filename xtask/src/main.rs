//! The project's chores as a program: `cargo xtask <chore>`.
//!
//! A newcomer has Rust and Node; everything else that a chore needs, it installs by itself,
//! at pinned versions, and says so while it does it. The few flags are read by a `match`: a library
//! for them would be compiled before anybody's first chore.
#![allow(
    clippy::print_stderr,
    reason = "talking to the person at the terminal is what this program does"
)]

mod bench;
mod child;
mod compression;
mod demo;
mod folders;
mod http;
mod interrupt;
mod mutants;
mod package;
mod payer_texts;
mod postgres;
mod project;
mod say;
mod size;
mod stack;
mod test;
mod tools;
mod wasm;

use anyhow::{Result, bail};
use say::say;
use std::process::ExitCode;

const HELP: &str = "\
The project's chores. Each installs the tools that it needs and prints its steps.

  cargo xtask demo                  shop, its server, sandbox and receiver of events, until Ctrl-C
  cargo xtask demo --nodes N        its server N times, on PostgreSQL
  cargo xtask demo --shop ADDRESS   lets a shop of your own at http://127.0.0.1:PORT use its server
  cargo xtask test                  every check; ends with the line `N passed, N failed`
  cargo xtask test --all            the same, and what takes longer
  cargo xtask test --only STEP      one step (may be repeated); `--list` names the steps
  cargo xtask test --only e2e -- …  passes the arguments after `--` to Playwright
  cargo xtask stack                 the four servers on the ports of the tests, until Ctrl-C
  cargo xtask size [--top]          the browser's downloads, against xtask/budget.toml
  cargo xtask bench staff           measures the staff's search over 10,000 and 100,000 operations, in a file and on PostgreSQL
  cargo xtask bench page            how long a payer on a slow phone waits, before and now
                                    (`--rounds N`, `--slower N`, `--against COMMIT`)
  cargo xtask bench payers          what 10,000 payers who wait cost the server, beside a bare route [--count N]
  cargo xtask bench polls           what the element holds in memory after 10,000 polls
  cargo xtask mutants [PACKAGE]     breaks the rules one by one; their unit tests must notice
  cargo xtask package               the npm package into target/npm
  cargo xtask wasm                  the elements into target/element and target/operations
  cargo xtask wasm --diagnostic     the same, larger: a stop of the wasm names its place
  cargo xtask tools                 every tool, without a build";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<ExitCode> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    interrupt::listen()?;
    // A call from a subfolder works too.
    std::env::set_current_dir(project::root())?;
    match words.as_slice() {
        [] | ["help" | "--help" | "-h"] | [_, "--help" | "-h"] => say!("{HELP}"),
        ["demo"] => demo::run(None, 1)?,
        ["demo", "--nodes", count] => demo::run(None, stack::nodes(count)?)?,
        ["demo", "--nodes"] => bail!("--nodes wants a number, as in `--nodes 3`"),
        ["demo", "--shop", address] => demo::run(Some(stack::OwnShop::parse(address)?), 1)?,
        ["demo", "--shop"] => {
            bail!("--shop wants the address of your shop, as in `--shop http://127.0.0.1:8000`")
        }
        ["stack"] => demo::run_for_tests()?,
        ["test", flags @ ..] => return test::run(&test::Selection::parse(flags)?),
        ["size"] => return size::run(false),
        ["size", "--top"] => return size::run(true),
        ["bench", words @ ..] => bench::run(words)?,
        ["mutants", "--", flags @ ..] => return mutants::run(None, flags),
        ["mutants", package, "--", flags @ ..] => return mutants::run(Some(package), flags),
        ["mutants"] => return mutants::run(None, &[]),
        ["mutants", package] => return mutants::run(Some(package), &[]),
        ["package"] => package::run()?,
        ["preload"] => wasm::preload::fill_page_of_trunk()?,
        ["wasm"] => wasm::build()?,
        ["wasm", "--diagnostic"] => wasm::build_edition(wasm::Edition::Diagnostic)?,
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
