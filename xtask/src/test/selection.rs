//! Reads from the flags which steps to run.

use anyhow::{Context, Result, bail};

/// The selection that the flags of `cargo xtask test` make.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    only: Vec<String>,
    /// Run the steps too that take long.
    all: bool,
    /// Name the steps and run none.
    pub(crate) list: bool,
    /// The arguments after `--`, for Playwright or for Node.js's test runner.
    pub(crate) runner_arguments: Vec<String>,
}

impl Selection {
    /// Reads `--only STEP` (repeatable), `--all`, `--list`, and `-- …`.
    pub(crate) fn parse(flags: &[&str]) -> Result<Self> {
        let mut selection = Self::default();
        let mut flags = flags.iter();
        while let Some(flag) = flags.next() {
            match *flag {
                "--only" => {
                    let step = flags.next().context("--only wants the name of a step")?;
                    if !super::STEPS.iter().any(|known| known.name == *step) {
                        bail!(
                            "there is no step `{step}`; the steps are {}",
                            super::names()
                        );
                    }
                    selection.only.push((*step).to_owned());
                }
                "--all" => selection.all = true,
                "--list" => selection.list = true,
                "--" => {
                    selection
                        .runner_arguments
                        .extend(flags.by_ref().map(|flag| (*flag).to_owned()));
                }
                other => bail!("`cargo xtask test` does not know `{other}`; see `--help`"),
            }
        }
        Ok(selection)
    }

    /// Is the step called `name` to run? A `long` one runs only when it was asked for.
    pub(crate) fn includes(&self, name: &str, long: bool) -> bool {
        if self.only.is_empty() {
            return self.all || !long;
        }
        self.asks_for(name)
    }

    /// Is the step called `name` to run with its own long tests?
    pub(crate) fn is_long(&self, name: &str) -> bool {
        self.all || self.asks_for(name)
    }

    fn asks_for(&self, name: &str) -> bool {
        self.only.iter().any(|only| only == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_steps_and_long_tests_run_when_they_are_asked_for() {
        for (flags, supply, engines) in [
            (&[][..], false, false),
            (&["--all"], true, true),
            (&["--only", "supply"], true, false),
            (&["--only", "engines"], false, true),
        ] {
            let selection = Selection::parse(flags).unwrap();
            assert_eq!(selection.includes("supply", true), supply, "{flags:?}");
            assert_eq!(selection.is_long("engines"), engines, "{flags:?}");
        }
        assert!(Selection::parse(&[]).unwrap().includes("fmt", false));
    }

    #[test]
    fn only_chooses_and_the_rest_goes_to_runner_arguments() {
        let flags = ["--only", "e2e", "--", "shop.spec.mjs", "--headed"];
        let selection = Selection::parse(&flags).unwrap();
        assert!(selection.includes("e2e", false) && !selection.includes("fmt", false));
        assert_eq!(selection.runner_arguments, ["shop.spec.mjs", "--headed"]);
        let error = Selection::parse(&["--only", "e3e"]).unwrap_err();
        assert!(error.to_string().contains("lint-wasm"));
    }
}
