//! Checks the references in the documents: named files have to exist, and named tests have to keep
//! their names.

use super::tally::Tally;
use super::{comments, quotes, surface};
use crate::{folders, project, say};
use anyhow::{Context, Result};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The folders in which a path in a document can begin.
const FOLDERS: [&str; 7] = [
    "crates/", "docs/", "npm/", "src/", "tests/", "www/", "xtask/",
];

/// A name with so many underscores is a sentence, and so the name of a test.
const SENTENCE: usize = 3;

/// One check for each document, and one for each kind of name that the elements offer.
pub(crate) fn run() -> Result<Tally> {
    let root = project::root();
    let tests = test_names(root)?;
    let top = fs::read_dir(root).context("could not list the top folder")?;
    let mut documents: Vec<_> = top.flatten().map(|entry| entry.path()).collect();
    documents.sort();
    documents.extend(folders::files(&root.join("docs"))?);
    documents.retain(|file| file.extension().is_some_and(|end| end == "md"));
    let mut tally = Tally::default();
    for document in documents {
        let text = fs::read_to_string(&document)
            .with_context(|| format!("could not read {}", document.display()))?;
        let stale = stale(&text, &tests, |path| root.join(path).exists());
        let name = document.strip_prefix(root).unwrap_or(&document).display();
        for mention in &stale {
            say!("error: {name} names `{mention}`, which is not there");
        }
        tally += Tally::one(stale.is_empty());
    }
    tally += surface::check(root)?;
    tally += comments::check(root)?;
    tally += quotes::check(root)?;
    Ok(tally)
}

/// Returns the texts between backticks that look like a path or a test but name none.
fn stale<'a>(
    text: &'a str,
    tests: &HashSet<String>,
    exists: impl Fn(&str) -> bool,
) -> Vec<&'a str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted
        .filter(|quoted| {
            let path = FOLDERS.iter().any(|folder| quoted.starts_with(folder));
            if path && !quoted.contains(['*', ' ', '<', '{']) {
                return !exists(quoted);
            }
            let name = quoted.rsplit("::").next().unwrap_or(quoted);
            let sentence = name.matches('_').count() >= SENTENCE && is_name(name);
            // A name that ends in an underscore is the common beginning of several tests.
            let known = || match name.strip_suffix('_') {
                Some(start) => tests.iter().any(|test| test.starts_with(start)),
                None => tests.contains(name),
            };
            sentence && !known()
        })
        .collect()
}

fn is_name(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The names of all functions of all source files: more than the tests, but only tests have a
/// sentence as their name.
fn test_names(root: &Path) -> Result<HashSet<String>> {
    let mut names = HashSet::new();
    for folder in ["crates", "src", "tests", "xtask"] {
        let mut files = folders::files(&root.join(folder))?;
        files.retain(|file| file.extension().is_some_and(|end| end == "rs"));
        for file in &files {
            let text = fs::read_to_string(file)
                .with_context(|| format!("could not read {}", file.display()))?;
            names.extend(text.split("fn ").skip(1).map(|after| {
                let end =
                    after.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
                after[..end.unwrap_or(after.len())].to_owned()
            }));
            // Names that the programs show to others, such as those of figures, stand in quotes.
            let quoted = text.split('"').filter(|quoted| quoted.contains('_'));
            names.extend(quoted.filter(|quoted| is_name(quoted)).map(str::to_owned));
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::stale;
    use std::collections::HashSet;

    #[test]
    fn a_test_or_a_file_that_is_not_there_is_found() {
        let tests = HashSet::from(["paid_is_paid_for_good".to_owned()]);
        let exists = |path: &str| path == "src/lib.rs";
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(stale(text, &tests, exists), expected, "{text}");
        };
        check(
            "`paid_is_paid_for_good`, `states::paid_is_paid_for_good`",
            &[],
        );
        check("`paid_is_paid_`", &[]);
        check("`paid_is_paid_twice_`", &["paid_is_paid_twice_"]);
        check(
            "`states::paid_is_lost_again`",
            &["states::paid_is_lost_again"],
        );
        check("`src/lib.rs` and `src/main.rs`", &["src/main.rs"]);
        check("`src/*.rs`, `crates/<name>`, `cargo xtask test`", &[]);
        check(
            "`merchant_operation_number`, `no_such_test_here` is quoted",
            &["no_such_test_here"],
        );
        check("no_such_test_here is not", &[]);
    }
}
