//! The names of the texts that a page can override, for developers who use TypeScript.

use crate::payer_texts;
use anyhow::Result;

/// A declaration with every name.
pub(super) fn declared() -> Result<String> {
    let names = payer_texts::names()?;
    let union: String = names
        .iter()
        .map(|name| format!("\n  | '{}'", name.key))
        .collect();
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
