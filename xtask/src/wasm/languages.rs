//! Writes the payer's texts as files that the element loads beside its wasm: one for each language that the
//! wasm does not have, and one with the keys, which only pages with texts of their own need.

use crate::payer_texts::{self, LANGUAGES};
use anyhow::Result;
use fs_err as fs;
use serde_json::json;
use std::path::Path;

/// Writes the files into the work folder of the payer's element.
pub(super) fn write(work: &Path) -> Result<()> {
    let names = payer_texts::names()?;
    for (language, source) in LANGUAGES {
        let wordings = payer_texts::wordings(&names, Some(source))?;
        file(work, &format!("texts-{language}"), &wordings)?;
    }
    let own = payer_texts::wordings(&names, None)?;
    let keys = names.iter().zip(&own);
    let keys: Vec<_> = keys.map(|(name, own)| entry(&name.key, own)).collect();
    file(work, "text-keys", &keys)
}

/// A key, and after it the places for values in its text.
fn entry(key: &str, wording: &str) -> String {
    let after = wording.split('{').skip(1);
    let places = after.filter_map(|after| Some(after.split_once('}')?.0));
    [key]
        .into_iter()
        .chain(places)
        .collect::<Vec<_>>()
        .join(" ")
}

fn file(work: &Path, name: &str, texts: &[String]) -> Result<()> {
    let module = format!("export default {};\n", json!(texts));
    Ok(fs::write(work.join(format!("{name}.js")), module)?)
}

#[cfg(test)]
mod tests {
    use super::entry;

    #[test]
    fn a_key_stands_with_the_places_of_its_text() {
        assert_eq!(entry("bill.total", "Total"), "bill.total");
        assert_eq!(
            entry("qr.step", "{payee}: {amount}"),
            "qr.step payee amount"
        );
    }
}
