//! Follows `docs/start.md` to the letter: it writes the files and runs the commands in an empty folder. Only
//! three things differ: the source of the package, the port of the server, and the version of Vite, which is
//! pinned.

use crate::{child, package, project};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A step of the guide for its reader.
#[derive(Debug, PartialEq, Eq)]
enum Deed {
    /// Writes a file.
    Write { name: String, text: String },
    /// Types a command.
    Type(String),
}

/// Follows the page up to the command that starts the development server. The test that pays starts
/// that server. True when every command succeeded.
pub(super) fn follow(folder: &Path, backend: u16) -> Result<bool> {
    let text = fs::read_to_string(project::root().join("docs/start.md"))
        .context("could not read docs/start.md")?;
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("could not remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
    let tarball = package::tarball()?.display().to_string();
    let vite = pinned_vite()?;
    for deed in deeds(&text)? {
        match deed {
            Deed::Write { name, text } => {
                let text = text.replace("127.0.0.1:8081", &format!("127.0.0.1:{backend}"));
                fs::write(folder.join(&name), text)
                    .with_context(|| format!("could not write {name}"))?;
            }
            Deed::Type(command) if command == "npx vite" => {}
            Deed::Type(command) => {
                let mut words = command.split_whitespace().map(|word| match word {
                    "payment-checkout-element" => tarball.clone(),
                    "vite" => format!("vite@{vite}"),
                    other => other.to_owned(),
                });
                let program = words.next().unwrap_or_default();
                let mut command = Command::new(program);
                command.args(words).current_dir(folder);
                command.env("npm_config_loglevel", "error");
                // npm reuses earlier downloads, so the next run also works without a network.
                command.env("npm_config_prefer_offline", "true");
                if !child::run(&mut command)? {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// The version that the other pages are built with, so that a new release cannot break this test.
fn pinned_vite() -> Result<String> {
    let path = project::root().join("tests/consumers/react/package.json");
    let text =
        fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let manifest: Value = serde_json::from_str(&text).context("the manifest is no JSON")?;
    let version = manifest["devDependencies"]["vite"].as_str();
    version
        .map(str::to_owned)
        .context("the React page names no version of vite")
}

/// The steps of a page: each line of a block of `sh` is a command; any other block of code after a
/// paragraph that begins with a file's name is that file.
fn deeds(text: &str) -> Result<Vec<Deed>> {
    let mut deeds = Vec::new();
    let mut file = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("**`") {
            file = name.split_once("`**").map(|(name, _)| name.to_owned());
        }
        let Some(language) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if language == "sh" {
            deeds.extend(block.iter().map(|line| Deed::Type((*line).to_owned())));
        } else if let Some(name) = file.take() {
            let text = block.join("\n") + "\n";
            deeds.push(Deed::Write { name, text });
        }
    }
    if !deeds.contains(&Deed::Type("npx vite".to_owned())) {
        bail!("docs/start.md no longer ends with `npx vite`; its test starts that");
    }
    Ok(deeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_files_and_commands() {
        let text = "```text\nelsewhere\n```\nSo:\n```sh\nnpm init -y\nnpx vite\n```\n\
                    **`a.js`** is this:\n\n```js\none();\n\ntwo();\n```\n";
        let deeds = deeds(text).unwrap();
        assert_eq!(deeds.len(), 3);
        assert_eq!(deeds[0], Deed::Type("npm init -y".to_owned()));
        let text = "one();\n\ntwo();\n".to_owned();
        let name = "a.js".to_owned();
        assert_eq!(deeds[2], Deed::Write { name, text });
    }
}
