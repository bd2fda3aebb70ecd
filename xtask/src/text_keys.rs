//! The names of the payer's texts, as `src/texts/keys.rs` declares them.

use crate::project;
use anyhow::{Context, Result, bail};
use std::fs;

/// The names, in their order.
pub(crate) fn read() -> Result<Vec<String>> {
    let path = project::root().join("src/texts/keys.rs");
    let source =
        fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let keys = keys(&source);
    if keys.is_empty() {
        bail!("src/texts/keys.rs declares its texts in another way");
    }
    Ok(keys)
}

/// The keys in the lines `Text = "key",` of the list in `source`.
fn keys(source: &str) -> Vec<String> {
    let list = source
        .split("browser_kit::texts! {")
        .nth(1)
        .unwrap_or_default();
    let list = list.split("\n}").next().unwrap_or_default();
    list.lines()
        .filter_map(|line| line.trim().strip_suffix("\",")?.split_once(" = \""))
        .map(|(_, key)| key.to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{keys, read};

    #[test]
    fn every_name_of_the_list_is_read() {
        let source = "macro {\n}\nbrowser_kit::texts! {\n    A = \"a.b\",\n\n    C = \"c\",\n}\nD = \"d\",\n";
        assert_eq!(keys(source), ["a.b", "c"]);
        assert!(read().unwrap().iter().any(|key| key == "choose.heading"));
    }
}
