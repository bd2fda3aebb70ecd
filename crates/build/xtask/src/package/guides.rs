//! The guides for integrators in the package, for people and programs that read them beside the code. A link that leaves the
//! package leads to the repository, and is no link while the repository is not ours.

use crate::names::Names;
use crate::{links, project};
use anyhow::{Context, Result, bail};
use fs_err as fs;
use std::path::Path;

/// What the guides have a reader copy.
pub(super) const EXAMPLES: [&str; 2] = ["examples/servers", "examples/shops"];

const GUIDES: [&str; 18] = [
    "README.md",
    "accessibility.md",
    "conformance.md",
    "diagnostics.md",
    "element.md",
    "frameworks.md",
    "migrate.md",
    "not-shown.md",
    "on-call.md",
    "production.md",
    "sandbox.md",
    "security.md",
    "server.md",
    "specification.md",
    "start.es.md",
    "start.md",
    "testing.md",
    "theming.md",
];

/// The list of all guides.
const INDEX: &str = "README.md";

/// The contract with the server.
const CONTRACT: &str = "openapi.yaml";

/// Fills a folder of the package with them.
pub(super) fn copy(to: &Path) -> Result<()> {
    let docs = project::root().join("docs");
    let names = Names::read()?;
    fs::create_dir_all(to)?;
    for guide in GUIDES {
        let mut text = fs::read_to_string(docs.join(guide))?;
        if guide == INDEX {
            text = packed_rows(&text)?;
        }
        let is_there = |path: &str| project::root().join(path).exists();
        let text = linked(&text, &names, is_there).with_context(|| format!("docs/{guide}"))?;
        fs::write(to.join(guide), text)?;
    }
    fs::copy(docs.join(CONTRACT), to.join(CONTRACT))?;
    Ok(())
}

/// The changelog with its links as the package has them, at the top of which it lies.
pub(super) fn changelog() -> Result<String> {
    let text = fs::read_to_string(project::root().join("CHANGELOG.md"))?;
    let names = Names::read()?;
    links::replaced(&text, |target| {
        let Some(guide) = target.strip_prefix("docs/") else {
            return Ok(Some(target.to_owned()));
        };
        let address = address(guide, &names, |path| project::root().join(path).exists())?;
        let to_repository = |address: &str| address.contains(':');
        Ok(address.map(|address| {
            if to_repository(&address) {
                address
            } else {
                target.to_owned()
            }
        }))
    })
}

/// The list of guides with those of the package, and without the part for people who have a clone.
fn packed_rows(index: &str) -> Result<String> {
    let (packed, _) = index
        .split_once("\n## You change the project")
        .context("docs/README.md has no part for people who change the project")?;
    let is_packed = |line: &&str| {
        let row = line.strip_prefix("| [").and_then(|row| row.split_once(']'));
        row.is_none_or(|(name, _)| name == CONTRACT || GUIDES.contains(&name))
    };
    let lines: Vec<&str> = packed.lines().filter(is_packed).collect();
    Ok(lines.join("\n") + "\n")
}

/// A guide with its links as the package has them.
fn linked(text: &str, names: &Names, is_there: impl Fn(&str) -> bool) -> Result<String> {
    links::replaced(text, |target| address(target, names, &is_there))
}

/// Where a link of a guide leads from the package, if it leads somewhere.
fn address(target: &str, names: &Names, is_there: impl Fn(&str) -> bool) -> Result<Option<String>> {
    let path = target.split('#').next().unwrap_or_default();
    let in_repository = |from_docs: &str| match from_docs.strip_prefix("../") {
        Some(from_root) => from_root.to_owned(),
        None => format!("docs/{from_docs}"),
    };
    let is_packed = path == CONTRACT
        || GUIDES.contains(&path)
        || EXAMPLES
            .iter()
            .any(|folder| in_repository(path).starts_with(folder));
    if !path.is_empty() && !path.contains(':') && !is_there(&in_repository(path)) {
        bail!("the link {target} leads nowhere");
    }
    if path.is_empty() || path.contains(':') || is_packed {
        return Ok(Some(target.to_owned()));
    }
    // What is in `npm/element` is at the package's root.
    if let Some(own) = target.strip_prefix("../npm/element/") {
        return Ok(Some(format!("../{own}")));
    }
    Ok(links::to_file(names, "main", &in_repository(target)))
}

#[cfg(test)]
mod tests {
    use super::{linked, packed_rows};
    use crate::names::Names;

    #[test]
    fn a_link_stays_within_the_package_or_leads_to_a_repository_of_ours() {
        let is_there = |path: &str| {
            [
                "docs/element.md",
                "docs/yew.md",
                "docs/images/a.png",
                "examples/a.mjs",
                "examples/shops/b.mjs",
                "npm/element/types/c.d.ts",
            ]
            .contains(&path)
        };
        let text = "[a](element.md#texts) [b](#here) [c](https://shop.example) [d](yew.md#x) [e](../examples/a.mjs) \
                    ![f](images/a.png) [g](../examples/shops/b.mjs) [h](../npm/element/types/c.d.ts)";
        let names = Names::registered();
        let there = names.repository().unwrap();
        let expected = format!(
            "[a](element.md#texts) [b](#here) [c](https://shop.example) [d]({there}/blob/main/docs/yew.md#x) \
             [e]({there}/blob/main/examples/a.mjs) ![f]({there}/raw/main/docs/images/a.png) \
             [g](../examples/shops/b.mjs) [h](../types/c.d.ts)"
        );
        assert_eq!(linked(text, &names, is_there).unwrap(), expected);
        let names = Names::read().unwrap();
        let expected = "[a](element.md#texts) [b](#here) [c](https://shop.example) d e f \
                        [g](../examples/shops/b.mjs) [h](../types/c.d.ts)";
        assert_eq!(linked(text, &names, is_there).unwrap(), expected);
        assert!(linked("[a](gone.md)", &names, is_there).is_err());
    }

    #[test]
    fn the_list_of_guides_has_those_of_the_package() {
        let index = "# All\n\n| Guide | |\n|---|---|\n| [element.md](element.md) | a |\n| [yew.md](yew.md) | b |\n\n## You change the project\n\nc\n";
        let expected = "# All\n\n| Guide | |\n|---|---|\n| [element.md](element.md) | a |\n";
        assert_eq!(packed_rows(index).unwrap(), expected);
        assert!(packed_rows("# All\n").is_err());
    }
}
