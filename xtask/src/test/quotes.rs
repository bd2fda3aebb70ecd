//! Checks what the documents quote of the examples: a block of code after a paragraph that ends with a link to
//! a file of `examples/` and a colon is some lines of that file, with or without their indentation.

use super::tally::Tally;
use crate::{folders, project, say};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// One check for each quote.
pub(crate) fn check(root: &Path) -> Result<Tally> {
    let mut tally = Tally::default();
    for document in folders::files(&root.join("docs"))? {
        if document.extension().is_none_or(|end| end != "md") {
            continue;
        }
        let text = fs::read_to_string(&document)
            .with_context(|| format!("could not read {}", document.display()))?;
        for quote in quotes(&text) {
            let path = project::root().join(quote.file);
            let source = fs::read_to_string(&path)
                .with_context(|| format!("could not read {}", path.display()))?;
            let is_there = has(&source, &quote.lines);
            if !is_there {
                let name = document.strip_prefix(root).unwrap_or(&document);
                say!(
                    "error: {} quotes {} otherwise than it is: {}",
                    name.display(),
                    quote.file,
                    quote.lines.first().unwrap_or(&"no line at all")
                );
            }
            tally += Tally::one(is_there);
        }
    }
    Ok(tally)
}

/// Lines of a file, as a document has them.
struct Quote<'a> {
    file: &'a str,
    lines: Vec<&'a str>,
}

fn quotes(text: &str) -> Vec<Quote<'_>> {
    let mut quotes = Vec::new();
    let mut named = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let block = lines.by_ref().take_while(|line| *line != "```").collect();
            if let Some(file) = named.take() {
                quotes.push(Quote { file, lines: block });
            }
        } else if !line.is_empty() {
            let link = line
                .strip_suffix("):")
                .and_then(|line| line.rsplit_once("](../"));
            named = link
                .map(|(_, file)| file)
                .filter(|file| file.starts_with("examples/"));
        }
    }
    quotes
}

/// True when the lines follow each other in the source, all moved by the same blanks.
fn has(source: &str, quoted: &[&str]) -> bool {
    let source: Vec<&str> = source.lines().collect();
    let Some(first) = quoted.first() else {
        return false;
    };
    source.windows(quoted.len()).any(|lines| {
        let Some(blanks) = lines[0].strip_suffix(first) else {
            return false;
        };
        blanks.trim().is_empty()
            && lines
                .iter()
                .zip(quoted)
                .all(|(line, quoted)| line == quoted || line.strip_prefix(blanks) == Some(quoted))
    })
}

#[cfg(test)]
mod tests {
    use super::{has, quotes};

    #[test]
    fn a_block_after_a_link_to_an_example_is_a_quote() {
        let text = "Sign, in [a](../examples/a.php):\n\n```php\none\n\ntwo\n```\n\n```php\nown\n```\n\
                    [b](../examples/b.py): and more\n```py\nown\n```\n[c](c.md):\n```\nown\n```\n";
        let found = quotes(text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].file, "examples/a.php");
        assert_eq!(found[0].lines, ["one", "", "two"]);
    }

    #[test]
    fn a_quote_is_some_lines_of_the_file() {
        let source = "  if a:\n    b\n\n  c\n";
        assert!(has(source, &["if a:", "  b", "", "c"]));
        assert!(has(source, &["  if a:", "    b"]));
        assert!(has(source, &["b"]));
        assert!(!has(source, &["a:"]));
        assert!(!has(source, &["if a:", "b"]));
        assert!(!has(source, &["b", "c"]));
        assert!(!has(source, &["c", "d"]));
        assert!(!has(source, &[]));
    }
}
