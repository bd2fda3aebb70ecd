//! `cargo xtask release --publish`: sends the npm packages and the crates to their registries.

use crate::names::Names;
use crate::{child, folders};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Publishes what `cargo xtask release` made, unless a name is not ours.
pub(crate) fn run(names: &Names) -> Result<()> {
    for mut command in commands(names, &super::folder())? {
        child::run_ok(&mut command)?;
    }
    Ok(())
}

/// The commands that publish, in their order.
fn commands(names: &Names, folder: &Path) -> Result<Vec<Command>> {
    names.all_ours()?;
    let packages = packages(folder)?;
    let mut commands: Vec<Command> = packages.iter().map(|file| npm(file)).collect();
    let mut crates = Command::new("cargo");
    crates.args(["publish", "--workspace", "--locked"]);
    commands.push(crates);
    Ok(commands)
}

fn npm(package: &Path) -> Command {
    let mut publish = Command::new("npm");
    publish.args(["publish", "--provenance", "--access", "public"]);
    publish.arg(package);
    publish
}

/// The npm packages of the release.
fn packages(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = if folder.is_dir() {
        folders::files(folder)?
    } else {
        Vec::new()
    };
    files.retain(|file| file.extension().is_some_and(|ending| ending == "tgz"));
    if files.is_empty() {
        bail!(
            "there are no packages in {}; `cargo xtask release` makes them",
            folder.display()
        );
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::commands;
    use crate::names::Names;
    use fs_err as fs;
    use std::path::Path;

    #[test]
    fn names_are_read_before_any_work() {
        let nowhere = Path::new("/nowhere");
        let refusal = |names: Names| commands(&names, nowhere).unwrap_err().to_string();
        assert!(refusal(Names::read().unwrap()).contains("payment-checkout-element"));
        assert!(refusal(Names::registered()).contains("no packages"));
    }

    #[test]
    fn packages_are_published_before_the_crates() {
        let folder = std::env::temp_dir().join(format!("publish-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for name in ["a.tgz", "b.tar.gz", "SHA256SUMS"] {
            fs::write(folder.join(name), "").unwrap();
        }
        let found = commands(&Names::registered(), &folder);
        fs::remove_dir_all(&folder).unwrap();
        let lines: Vec<String> = found
            .unwrap()
            .iter()
            .map(|command| format!("{command:?}").replace('"', ""))
            .collect();
        let package = folder.join("a.tgz");
        let npm = format!(
            "npm publish --provenance --access public {}",
            package.display()
        );
        assert_eq!(lines, [npm.as_str(), "cargo publish --workspace --locked"]);
    }
}
