//! The names of the texts that a page can override, for developers who use TypeScript.

use crate::text_keys;
use anyhow::Result;

/// A declaration with every name.
pub(super) fn declared() -> Result<String> {
    let keys = text_keys::read()?;
    let union: String = keys.iter().map(|key| format!("\n  | '{key}'")).collect();
    Ok(format!(
        "/** A text that a page can override. */\nexport type MessageKey ={union};\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn every_name_is_declared() {
        assert!(declared().unwrap().contains("| 'choose.heading'\n"));
    }
}
