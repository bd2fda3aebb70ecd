//! Comments are sentences with a subject: a comment that begins with "What" or "Whoever" has none.

use super::tally::Tally;
use crate::{folders, say};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Bad words to begin a comment with.
const BEGINNINGS: [&str; 8] = [
    "What", "Whatever", "Where", "Wherever", "Whether", "Who", "Whoever", "Whose",
];

/// The files in which comments stand.
const ENDS: [&str; 4] = ["css", "js", "mjs", "rs"];

/// So many lines may begin so all the same.
const MOST: usize = 80;

/// One check of all source files.
pub(super) fn check(root: &Path) -> Result<Tally> {
    let mut found = Vec::new();
    for folder in ["crates", "npm", "src", "tests", "www", "xtask"] {
        let mut files = folders::files(&root.join(folder))?;
        files.retain(|file| {
            file.extension()
                .is_some_and(|end| ENDS.iter().any(|e| end == *e))
        });
        for file in &files {
            let text = fs::read_to_string(file)
                .with_context(|| format!("could not read {}", file.display()))?;
            let name = file.strip_prefix(root).unwrap_or(file).display();
            for (number, _) in text.lines().enumerate().filter(|(_, line)| is_riddle(line)) {
                found.push(format!("{name}:{}", number + 1));
            }
        }
    }
    let few = found.len() < MOST;
    if !few {
        say!(
            "error: {} comment lines begin with What, Who, Where or Whether, and fewer than {MOST} may: begin with the subject. {}",
            found.len(),
            found.join(" ")
        );
    }
    Ok(Tally::one(few))
}

/// True when a line is a comment that begins with such a word.
fn is_riddle(line: &str) -> bool {
    let line = line.trim_start();
    let marks = ["///", "//!", "//", "/**", "/*", "*"];
    let comment = marks.iter().find_map(|mark| line.strip_prefix(mark));
    let word = comment.and_then(|comment| {
        let end = |letter: char| !letter.is_ascii_alphabetic();
        comment.trim_start().split(end).next()
    });
    word.is_some_and(|word| BEGINNINGS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::is_riddle;

    #[test]
    fn comments_begin_with_their_subject() {
        for line in [
            "/// What is known.",
            "    // Whoever asks waits.",
            " * Whether it is paid",
            "//! Where it is.",
        ] {
            assert!(is_riddle(line), "{line}");
        }
        for line in [
            "/// The state.",
            "let what = 1;",
            "// Whatsoever",
            "What",
            "",
        ] {
            assert!(!is_riddle(line), "{line}");
        }
    }
}
