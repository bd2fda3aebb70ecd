//! The names of the texts that a page can override, for developers who use TypeScript.

use crate::project;
use anyhow::{Context, Result, bail};
use std::fs;

/// A declaration with every name.
pub(super) fn declared() -> Result<String> {
    let path = project::root().join("src/texts/keys.rs");
    let source =
        fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let keys = keys(&source);
    if keys.is_empty() {
        bail!("src/texts/keys.rs declares its texts in another way");
    }
    let union: String = keys.iter().map(|key| format!("\n  | '{key}'")).collect();
    Ok(format!(
        "/** A text that a page can override. */\nexport type MessageKey ={union};\n"
    ))
}

/// Returns the keys in the lines `Text = "key",` of the list in `source`.
fn keys(source: &str) -> Vec<&str> {
    let list = source
        .split("browser_kit::texts! {")
        .nth(1)
        .unwrap_or_default();
    let list = list.split("\n}").next().unwrap_or_default();
    list.lines()
        .filter_map(|line| line.trim().strip_suffix("\",")?.split_once(" = \""))
        .map(|(_, key)| key)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_list_is_declared() {
        let source = "macro {\n}\nbrowser_kit::texts! {\n    A = \"a.b\",\n\n    C = \"c\",\n}\nD = \"d\",\n";
        assert_eq!(keys(source), ["a.b", "c"]);
        assert!(declared().unwrap().contains("| 'choose.heading'\n"));
    }
}
