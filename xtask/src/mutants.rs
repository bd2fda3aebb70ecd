//! `cargo xtask mutants`: breaks the rules one by one, and counts the breaks that their unit tests catch.

mod excerpt;

use crate::{child, project, say, tools};
use anyhow::{Context, Result, bail};
use excerpt::Excerpt;
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The share of the viable breaks that must be caught, in percent.
const AIM: usize = 95;

/// The code that is broken, and the tests that must notice.
struct Rules {
    package: &'static str,
    files: &'static str,
    tests: &'static [&'static str],
    /// The cases of each property, where those of every day take too long for hundreds of breaks.
    cases: Option<&'static str>,
    /// The part of the package that is compiled; `None` for all of it.
    excerpt: Option<Excerpt>,
}

const RULES: [Rules; 3] = [
    Rules {
        package: "merchant-backend",
        files: "crates/merchant-backend/src/domain/**/*.rs",
        tests: &["--lib", "domain::"],
        cases: None,
        excerpt: Some(Excerpt {
            modules: &["amount_units", "clock", "domain", "fingerprint", "random"],
            below: &["payment-model", "staff-model"],
            without: &["demo-shop", "payment-sandbox"],
        }),
    },
    Rules {
        package: "checkout-flow",
        files: "crates/checkout-flow/src/**/*.rs",
        tests: &["--lib", "--test", "payments"],
        cases: Some("30"),
        excerpt: None,
    },
    Rules {
        package: "payment-model",
        files: "crates/payment-model/src/**/*.rs",
        tests: &["--lib", "--tests"],
        cases: None,
        excerpt: None,
    },
];

/// `xtask/mutants.toml`: the breaks that no test can or should catch.
#[derive(Deserialize)]
struct Accepted {
    survivor: Vec<Survivor>,
}

#[derive(Deserialize)]
struct Survivor {
    /// The path of the file, a colon, and the words of the tool, without line and column.
    mutant: String,
    reason: String,
}

/// Breaks the rules of all packages, or of the one that is named. `flags` go to the tool.
pub(crate) fn run(package: Option<&str>, flags: &[&str]) -> Result<ExitCode> {
    let program = tools::cargo_mutants().install()?;
    let chosen: Vec<&Rules> = RULES
        .iter()
        .filter(|rules| package.is_none_or(|name| name == rules.package))
        .collect();
    if chosen.is_empty() {
        let names = RULES.map(|rules| rules.package).join(", ");
        bail!(
            "no rules are broken in `{}`; choose of {names}",
            package.unwrap_or_default()
        );
    }
    let accepted = accepted()?;
    let mut good = true;
    for rules in chosen {
        good &= judge(rules, &program, flags, &accepted)?;
    }
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn accepted() -> Result<Vec<String>> {
    let file = project::root().join("xtask/mutants.toml");
    let text =
        fs::read_to_string(&file).with_context(|| format!("could not read {}", file.display()))?;
    let accepted: Accepted = toml::from_str(&text).context("xtask/mutants.toml")?;
    if let Some(lacking) = accepted
        .survivor
        .iter()
        .find(|survivor| survivor.reason.trim().is_empty())
    {
        bail!(
            "xtask/mutants.toml gives no reason for `{}`",
            lacking.mutant
        );
    }
    Ok(accepted
        .survivor
        .into_iter()
        .map(|survivor| survivor.mutant)
        .collect())
}

fn judge(rules: &Rules, program: &Path, flags: &[&str], accepted: &[String]) -> Result<bool> {
    let output = project::output("mutants").join(rules.package);
    fs::create_dir_all(&output).with_context(|| format!("could not make {}", output.display()))?;
    // Counts of an earlier run must not pass for those of one that did not begin.
    let outcomes = output.join("mutants.out/outcomes.json");
    if outcomes.exists() {
        fs::remove_file(&outcomes)
            .with_context(|| format!("could not remove {}", outcomes.display()))?;
    }
    let mut command = Command::new(program);
    command
        .args(["mutants", "--package", rules.package, "--file", rules.files])
        // A formatter of debug texts and an accessor of a test say nothing about rules.
        .args([
            "--exclude-re",
            "impl.*Debug",
            "--timeout",
            "25",
            "--colors",
            "never",
        ])
        .arg("--output")
        .arg(&output);
    if let Some(excerpt) = &rules.excerpt {
        let folder = output.join("excerpt");
        excerpt.write(rules.package, &folder)?;
        // It is a copy already, and keeps what was compiled.
        command.arg("--in-place").current_dir(folder);
    }
    command
        .args(flags)
        .arg("--")
        .args(rules.tests)
        // Each break is compiled; nobody looks at it in a debugger.
        .env("CARGO_PROFILE_DEV_DEBUG", "0");
    if let Some(cases) = rules.cases {
        // A caught break is caught; nobody reads its shortest story.
        command.envs([
            ("PROPTEST_CASES", cases),
            ("PROPTEST_MAX_SHRINK_ITERS", "0"),
        ]);
    }
    // The tool's own verdict counts survivors that have a reason too.
    child::run(&mut command)?;
    let outcomes = fs::read_to_string(&outcomes)
        .with_context(|| format!("the tool left no {}", outcomes.display()))?;
    let outcomes: Value = serde_json::from_str(&outcomes).context("outcomes.json")?;
    // A run that was stopped has broken only the first of the rules.
    if outcomes["end_time"].is_null() {
        bail!("the run did not come to its end; the tool's words are above");
    }
    let count = |name: &str| outcomes[name].as_u64().unwrap_or(0);
    let caught = count("caught") + count("timeout");
    let missed = fs::read_to_string(output.join("mutants.out/missed.txt")).unwrap_or_default();
    let missed: Vec<String> = missed.lines().map(without_place).collect();
    let (reasoned, bare): (Vec<&String>, Vec<&String>) =
        missed.iter().partition(|mutant| accepted.contains(mutant));
    let viable = usize::try_from(caught)? + missed.len();
    let held = viable - bare.len();
    say!(
        "{}: {viable} viable breaks, {caught} caught, {} accepted with a reason, {} survived",
        rules.package,
        reasoned.len(),
        bare.len()
    );
    for mutant in bare {
        say!("  {mutant}");
    }
    if viable == 0 {
        bail!(
            "nothing was broken in {}; the tool's words are above",
            rules.package
        );
    }
    Ok(held * 100 >= viable * AIM)
}

/// `path:12:5: words` as `path: words`: lines move whenever somebody writes above them.
fn without_place(line: &str) -> String {
    let mut parts = line.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(path), Some(_), Some(_), Some(words)) => format!("{path}:{words}"),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_survivor_is_known_by_its_file_and_words() {
        let line = "crates/a/src/b.rs:12:5: replace b -> bool with true";
        assert_eq!(
            without_place(line),
            "crates/a/src/b.rs: replace b -> bool with true"
        );
    }

    #[test]
    fn every_accepted_survivor_has_a_reason() {
        accepted().unwrap();
    }
}
