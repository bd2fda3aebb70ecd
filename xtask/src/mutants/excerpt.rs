//! A workspace with some modules of one package, and the packages below it. A break of a rule is
//! compiled there in seconds; in the whole package, whose tests start servers, it takes minutes.

use crate::{folders, project};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// The modules that stand without the rest of their package.
pub(super) struct Excerpt {
    /// The modules, each a folder or a file of the package.
    pub(super) modules: &'static [&'static str],
    /// The packages of the project that the modules need.
    pub(super) below: &'static [&'static str],
    /// The development dependencies that only the tests of the whole package need.
    pub(super) without: &'static [&'static str],
}

impl Excerpt {
    /// Writes the excerpt of a package into a folder, beside what was compiled there before.
    pub(super) fn write(&self, package: &str, folder: &Path) -> Result<()> {
        let crates = folder.join("crates");
        if crates.exists() {
            fs::remove_dir_all(&crates)
                .with_context(|| format!("could not empty {}", crates.display()))?;
        }
        for below in self.below {
            let below = Path::new("crates").join(below);
            folders::copy(&project::root().join(&below), &folder.join(&below))?;
        }
        for file in ["Cargo.lock", "rust-toolchain.toml"] {
            write(&folder.join(file), &read(&project::root().join(file))?)?;
        }
        let own = Path::new("crates").join(package);
        self.copy_modules(&project::root().join(&own), &folder.join(&own))?;
        let top = self.top_manifest(package, parsed(&project::root().join("Cargo.toml"))?);
        write(&folder.join("Cargo.toml"), &toml::to_string(&top)?)?;
        let manifest = own.join("Cargo.toml");
        let small = self.manifest(parsed(&project::root().join(&manifest))?);
        write(&folder.join(manifest), &toml::to_string(&small)?)
    }

    fn copy_modules(&self, from: &Path, to: &Path) -> Result<()> {
        let (from, to) = (from.join("src"), to.join("src"));
        let mut lib = String::new();
        for module in self.modules {
            lib.push_str(&format!("mod {module};\n"));
            if from.join(module).is_dir() {
                folders::copy(&from.join(module), &to.join(module))?;
            } else {
                let file = format!("{module}.rs");
                write(&to.join(&file), &read(&from.join(&file))?)?;
            }
        }
        write(&to.join("lib.rs"), &lib)
    }

    /// The versions, lints and profiles of the project, for these packages alone.
    fn top_manifest(&self, package: &str, mut whole: Table) -> Table {
        let mut top = Table::new();
        if let Some(Value::Table(mut workspace)) = whole.remove("workspace") {
            let members = self.below.iter().copied().chain([package]);
            let members = members.map(|name| Value::from(format!("crates/{name}")));
            workspace.insert("members".to_owned(), Value::Array(members.collect()));
            top.insert("workspace".to_owned(), Value::Table(workspace));
        }
        if let Some(profiles) = whole.remove("profile") {
            top.insert("profile".to_owned(), profiles);
        }
        top
    }

    /// The package's own manifest, without its programs.
    fn manifest(&self, mut whole: Table) -> Table {
        for programs in ["bin", "example"] {
            whole.remove(programs);
        }
        if let Some(Value::Table(tests)) = whole.get_mut("dev-dependencies") {
            tests.retain(|name, _| !self.without.contains(&name));
        }
        whole
    }
}

fn parsed(file: &Path) -> Result<Table> {
    read(file)?
        .parse()
        .with_context(|| format!("{} is not TOML", file.display()))
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("could not read {}", file.display()))
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(file))
        .and_then(|()| fs::write(file, text))
        .with_context(|| format!("could not write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    #[test]
    fn a_small_manifest_has_no_programs_and_no_packages_of_other_tests() {
        let excerpt = Excerpt {
            modules: &[],
            below: &["model"],
            without: &["sandbox"],
        };
        let whole = "[[bin]]\nname = 'b'\n[dependencies]\na = '1'\n[dev-dependencies]\nsandbox = '1'\nb = '2'";
        let small = excerpt.manifest(whole.parse().unwrap());
        let expected = "[dependencies]\na = '1'\n[dev-dependencies]\nb = '2'";
        assert_eq!(small, expected.parse().unwrap());
        let top = "[workspace]\nmembers = ['crates/*']\nresolver = '3'\n[package]\nname = 'p'";
        let top = excerpt.top_manifest("own", top.parse().unwrap());
        let expected = "[workspace]\nmembers = ['crates/model', 'crates/own']\nresolver = '3'";
        assert_eq!(top, expected.parse().unwrap());
    }
}
