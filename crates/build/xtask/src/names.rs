//! The names of our packages, crates and repository, and whether we have registered them, from `crates/build/xtask/names.json`.
//!
//! An attacker may register a name before us and then controls what it installs, so no document installs, runs or links it.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;

const TABLE: &str = include_str!("../names.json");

/// Whose a name is.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
enum Owner {
    #[serde(rename = "ours")]
    Ours,
    #[serde(rename = "not yet")]
    NotYet,
    /// We do not publish under it.
    #[serde(rename = "another's")]
    Anothers,
}

/// The table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Names {
    npm: BTreeMap<String, Owner>,
    crates: BTreeMap<String, Owner>,
    repository: BTreeMap<String, Owner>,
}

impl Names {
    /// Reads the table.
    pub(crate) fn read() -> Result<Self> {
        Self::parse(TABLE)
    }

    fn parse(table: &str) -> Result<Self> {
        serde_json::from_str(table)
            .context("crates/build/xtask/names.json is written in another form")
    }

    /// True when npm has this package from us.
    pub(crate) fn package_is_ours(&self, name: &str) -> bool {
        self.npm.get(name) == Some(&Owner::Ours)
    }

    /// The repository's address, if it is ours.
    pub(crate) fn repository(&self) -> Option<&str> {
        let mut ours = self.repository.iter();
        ours.find(|(_, owner)| **owner == Owner::Ours)
            .map(|(address, _)| address.as_str())
    }

    /// Refuses a publication while a name that it needs is not ours.
    pub(crate) fn all_ours(&self) -> Result<()> {
        let kinds = [
            ("npm", &self.npm),
            ("crates.io", &self.crates),
            ("repository", &self.repository),
        ];
        let missing: Vec<String> = kinds
            .iter()
            .flat_map(|(kind, names)| names.iter().map(move |(name, owner)| (kind, name, owner)))
            .filter(|(.., owner)| **owner == Owner::NotYet)
            .map(|(kind, name, _)| format!("\n  {kind}: {name}"))
            .collect();
        if !missing.is_empty() {
            bail!(
                "nothing was published, because these names are not ours:{}\nRegister each on its registry, then set it \
                 to \"ours\" in crates/build/xtask/names.json. `cargo xtask release` without a flag makes the files.",
                missing.concat()
            );
        }
        Ok(())
    }

    /// The table as it is once every name of ours is registered.
    #[cfg(test)]
    pub(crate) fn registered() -> Self {
        Self::parse(&TABLE.replace("not yet", "ours")).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::Names;
    use crate::{child, project};
    use serde_json::Value;
    use std::process::Command;

    #[test]
    fn a_publication_is_refused_until_every_name_is_ours() {
        let refusal = Names::read().unwrap().all_ours().unwrap_err().to_string();
        for line in [
            "npm: payment-checkout-element\n",
            "crates.io: payment-model\n",
            "repository: https://",
            "crates/build/xtask/names.json",
        ] {
            assert!(refusal.contains(line), "{line}: {refusal}");
        }
        assert!(!refusal.contains("npm: payment-checkout\n"), "{refusal}");
        Names::registered().all_ours().unwrap();
    }

    #[test]
    fn the_name_of_another_is_never_ours() {
        let names = Names::registered();
        assert!(names.package_is_ours("payment-checkout-element"));
        assert!(!names.package_is_ours("payment-checkout"));
        assert!(names.repository().is_some());
        assert!(Names::read().unwrap().repository().is_none());
    }

    /// The crates that are published: those without `publish = false`, which cargo says as an empty list of registries.
    fn published() -> Vec<Value> {
        let mut ask = Command::new("cargo");
        ask.args(["metadata", "--format-version", "1", "--no-deps"]);
        let said = child::output(ask.current_dir(project::root())).unwrap();
        let metadata: Value = serde_json::from_str(&said).unwrap();
        let mut packages = metadata["packages"].as_array().unwrap().clone();
        packages.retain(|package| package["publish"].is_null());
        packages
    }

    #[test]
    fn the_table_has_every_crate_that_is_published_and_no_other() {
        let published = published();
        let mut published: Vec<_> = published
            .iter()
            .map(|package| package["name"].as_str().unwrap())
            .collect();
        published.sort_unstable();
        let listed: Vec<_> = Names::read().unwrap().crates.into_keys().collect();
        assert_eq!(listed, published);
    }

    #[test]
    fn a_release_compiles_no_newer_version_of_our_crates_from_a_registry() {
        let names = Names::read().unwrap();
        let exact = format!("={}", project::VERSION);
        let mut count = 0;
        for package in published() {
            for dependency in package["dependencies"].as_array().unwrap() {
                let name = dependency["name"].as_str().unwrap();
                // One for tests has only a path, and is not published.
                if names.crates.contains_key(name) && dependency["req"] != "*" {
                    assert_eq!(
                        dependency["req"], *exact,
                        "{} wants {name}",
                        package["name"]
                    );
                    count += 1;
                }
            }
        }
        assert!(count > 10, "{count}");
    }

    #[test]
    fn the_table_has_the_name_of_each_npm_manifest() {
        let names = Names::read().unwrap();
        for folder in ["npm/element", "npm/sandbox"] {
            let manifest = project::root().join(folder).join("package.json");
            let manifest: Value =
                serde_json::from_str(&fs_err::read_to_string(manifest).unwrap()).unwrap();
            assert!(names.npm.contains_key(manifest["name"].as_str().unwrap()));
        }
    }
}
