//! The notes of a release, out of the changelog.

use crate::names::Names;
use crate::{links, project};
use anyhow::{Context, Result};
use fs_err as fs;

/// Which file is which.
const FILES: &str = include_str!("files.md");

/// What the changelog says of this version, and what its files are for.
pub(super) fn of_this_version() -> Result<String> {
    let changelog = fs::read_to_string(project::root().join("CHANGELOG.md"))?;
    let version = project::VERSION;
    let notes = section(&changelog, version).with_context(|| {
        format!("CHANGELOG.md has no `## [{version}] - DATE`: move what is under *Unreleased* to it first")
    })?;
    with_whole_links(&(notes + FILES), version, &Names::read()?)
}

/// A page of a release is no page of the repository, so that its links name the repository and the tag.
fn with_whole_links(notes: &str, version: &str, names: &Names) -> Result<String> {
    links::replaced(notes, |target| {
        if target.contains(':') {
            return Ok(Some(target.to_owned()));
        }
        Ok(links::to_file(names, &format!("v{version}"), target))
    })
}

fn section(changelog: &str, version: &str) -> Option<String> {
    let heading = format!("## [{version}]");
    let mut lines = changelog
        .lines()
        .skip_while(|line| !line.starts_with(&heading));
    lines.next()?;
    let own = lines.take_while(|line| !line.starts_with("## "));
    Some(own.collect::<Vec<_>>().join("\n").trim().to_owned() + "\n")
}

#[cfg(test)]
mod tests {
    use super::{section, with_whole_links};
    use crate::names::Names;

    #[test]
    fn the_notes_are_the_section_of_the_version() {
        let changelog = "# Changelog\n\n## [Unreleased]\n\nnew\n\n## [0.2.0] - 2027-01-01\n\n### Added\n\n- a\n\n## [0.1.0]\n\nold\n";
        assert_eq!(section(changelog, "0.2.0").unwrap(), "### Added\n\n- a\n");
        assert_eq!(section(changelog, "0.1.0").unwrap(), "old\n");
        assert!(section(changelog, "0.3.0").is_none());
    }

    #[test]
    fn links_of_the_notes_lead_to_the_tag_of_a_repository_of_ours() {
        let notes = "([docs/start.md](docs/start.md#a), [b](https://shop.example))";
        let names = Names::registered();
        let there = names.repository().unwrap();
        assert_eq!(
            with_whole_links(notes, "0.1.0", &names).unwrap(),
            format!(
                "([docs/start.md]({there}/blob/v0.1.0/docs/start.md#a), [b](https://shop.example))"
            )
        );
        assert_eq!(
            with_whole_links(notes, "0.1.0", &Names::read().unwrap()).unwrap(),
            "(docs/start.md, [b](https://shop.example))"
        );
    }
}
