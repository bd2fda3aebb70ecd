//! `cargo xtask mutants`: breaks the rules one by one, and expects their tests to fail. `.cargo/mutants.toml` names
//! the breaks that are left out, with their reasons.

use crate::{child, project, say, tools};
use anyhow::Result;
use fs_err as fs;
use std::process::Command;

/// The packages of pure rules, which compile and test in seconds.
const PACKAGES: [&str; 3] = ["checkout-flow", "payment-model", "payment-rules"];

/// The tests may miss one break in twenty: some breaks change no behavior.
const BREAKS_PER_MISS: usize = 20;

/// Breaks these packages, or those that are named before `--`. What is after it goes to the tool, and after another `--`
/// to the tests. True when the tests noticed nearly every break.
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
        if package != "payment-model" {
            // Their properties have hundreds of cases, which take too long for hundreds of breaks.
            command.env("PROPTEST_CASES", "30");
        }
        if child::run(&mut command)? {
            continue;
        }
        let listed = |name: &str| fs::read_to_string(output.join("mutants.out").join(name));
        let count = |name: &str| listed(name).map_or(0, |lines| lines.lines().count());
        // An endless loop is noticed, too.
        let (missed, noticed) = (
            count("missed.txt"),
            count("caught.txt") + count("timeout.txt"),
        );
        say!("{package}: the tests noticed {noticed} breaks and missed {missed}");
        good &= noticed > 0 && missed * BREAKS_PER_MISS <= noticed + missed;
    }
    Ok(good)
}
