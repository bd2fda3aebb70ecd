//! `cargo xtask mutants`: breaks the rules one by one, and expects their tests to fail. `.cargo/mutants.toml` names
//! the breaks that are left out, with their reasons.

use crate::{child, project, tools};
use anyhow::Result;
use fs_err as fs;
use std::process::Command;

/// The packages of pure rules, which compile and test in seconds.
const PACKAGES: [&str; 2] = ["checkout-flow", "payment-model"];

/// Breaks these packages, or those that are named before `--`. What is after it goes to the tool, and after another `--`
/// to the tests. True when the tests noticed every break.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    let end = words.iter().position(|word| *word == "--");
    let (named, flags) = words.split_at(end.unwrap_or(words.len()));
    let packages = if named.is_empty() { &PACKAGES } else { named };
    let flags = flags.get(1..).unwrap_or_default();
    let program = tools::cargo_mutants().install()?;
    let mut good = true;
    for &package in packages {
        let output = project::output("mutants").join(package);
        fs::create_dir_all(&output)?;
        let mut command = Command::new(&program);
        command
            .args(["mutants", "--package", package, "--output"])
            .arg(&output)
            .args(flags)
            // Each break is compiled, and none is looked at in a debugger.
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("PROPTEST_MAX_SHRINK_ITERS", "0");
        if !flags.contains(&"--") {
            command.args(["--", "--lib", "--tests"]);
        }
        if package == "checkout-flow" {
            // Its properties have 700 cases, which take too long for hundreds of breaks.
            command.env("PROPTEST_CASES", "30");
        }
        let mut noticed = child::run(&mut command)?;
        // An endless loop is noticed, too, but the tool does not call that a success.
        let listed = |name: &str| fs::read_to_string(output.join("mutants.out").join(name));
        noticed |= listed("missed.txt").is_ok_and(|missed| missed.is_empty())
            && listed("timeout.txt").is_ok_and(|timeouts| !timeouts.is_empty());
        good &= noticed;
    }
    Ok(good)
}
