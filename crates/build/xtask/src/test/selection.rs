//! Reads from the flags which steps to run.

use anyhow::{Context, Result, bail};

/// How much a run checks. Each has what the one before it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// What tells a person that the product works on this machine.
    #[default]
    Quick,
    /// What a change must pass.
    Landing,
    /// What takes long itself, or whose tool takes minutes to build.
    All,
}

/// The selection that the flags of `cargo xtask test` make.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    only: Vec<String>,
    scope: Scope,
    /// Name the steps and run none.
    pub(crate) list: bool,
    /// The arguments after `--`, for Playwright or for Node.js's test runner.
    pub(crate) runner_arguments: Vec<String>,
}

impl Selection {
    /// Reads `--only STEP` (repeatable), `--landing`, `--all`, `--list`, and `-- …`.
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
                "--landing" => selection.scope = selection.scope.max(Scope::Landing),
                "--all" => selection.scope = Scope::All,
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

    /// Is the step called `name` to run, which belongs to this scope?
    pub(crate) fn includes(&self, name: &str, scope: Scope) -> bool {
        if self.only.is_empty() {
            return scope <= self.scope;
        }
        self.asks_for(name)
    }

    /// Is the step called `name` to run with its own long tests?
    pub(crate) fn is_long(&self, name: &str) -> bool {
        self.scope == Scope::All || self.asks_for(name)
    }

    /// Are steps to run with their quick tests alone?
    pub(crate) fn is_quick(&self) -> bool {
        self.only.is_empty() && self.scope == Scope::Quick
    }

    fn asks_for(&self, name: &str) -> bool {
        self.only.iter().any(|only| only == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_the_steps_of_its_scope_and_a_step_by_name_is_whole() {
        for (flags, landing, all, long, quick) in [
            (&[][..], false, false, false, true),
            (&["--landing"], true, false, false, false),
            (&["--all", "--landing"], true, true, true, false),
            (&["--only", "engines"], false, false, true, false),
        ] {
            let selection = Selection::parse(flags).unwrap();
            assert_eq!(
                selection.includes("lint", Scope::Landing),
                landing,
                "{flags:?}"
            );
            assert_eq!(selection.includes("supply", Scope::All), all, "{flags:?}");
            assert_eq!(selection.is_long("engines"), long, "{flags:?}");
            assert_eq!(selection.is_quick(), quick, "{flags:?}");
        }
        let selection = Selection::parse(&["--only", "supply"]).unwrap();
        assert!(selection.includes("supply", Scope::All));
        assert!(!selection.includes("fmt", Scope::Quick));
    }

    #[test]
    fn only_chooses_and_the_rest_goes_to_runner_arguments() {
        let flags = ["--only", "e2e", "--", "shop.spec.mjs", "--headed"];
        let selection = Selection::parse(&flags).unwrap();
        assert!(
            selection.includes("e2e", Scope::Quick) && !selection.includes("fmt", Scope::Quick)
        );
        assert_eq!(selection.runner_arguments, ["shop.spec.mjs", "--headed"]);
        let error = Selection::parse(&["--only", "e3e"]).unwrap_err();
        assert!(error.to_string().contains("lint-wasm"));
    }
}
