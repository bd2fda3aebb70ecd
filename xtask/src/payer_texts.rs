//! The payer's texts, as the sources in `crates/checkout-texts` have them.

use crate::project;
use anyhow::{Context, Result, bail};
use fs_err as fs;
use std::collections::BTreeMap;
use syn::{Expr, Item, Lit, Pat, Stmt};

/// The languages that the element has as files, by the names of their sources.
pub(crate) const LANGUAGES: [(&str, &str); 2] = [("en", "en"), ("pt", "pt_br")];

/// The language that the wasm has.
const OWN: &str = "es_pe";

/// A text's name in the sources, and its key, by which a page overrides it.
pub(crate) struct Name {
    in_source: String,
    pub(crate) key: String,
}

/// Every text, in the order of the list.
pub(crate) fn names() -> Result<Vec<Name>> {
    let source = read("keys")?;
    let names = names_in(&source);
    if names.is_empty() {
        bail!("crates/checkout-texts/src/keys.rs declares its texts in another way");
    }
    Ok(names)
}

/// The wordings of a language, in the order of the names; [`OWN`] where none is asked for.
pub(crate) fn wordings(names: &[Name], language: Option<&str>) -> Result<Vec<String>> {
    let source = language.unwrap_or(OWN);
    let wordings = wordings_in(&read(source)?).with_context(|| {
        format!("crates/checkout-texts/src/{source}.rs is written in another way")
    })?;
    let of = |name: &Name| {
        wordings.get(&name.in_source).cloned().with_context(|| {
            format!(
                "crates/checkout-texts/src/{source}.rs has no plain text for {}",
                name.in_source
            )
        })
    };
    names.iter().map(of).collect()
}

fn read(source: &str) -> Result<String> {
    let path = project::root().join(format!("crates/checkout-texts/src/{source}.rs"));
    Ok(fs::read_to_string(path)?)
}

/// The names in the lines `Name = "key",` of the list in `source`.
fn names_in(source: &str) -> Vec<Name> {
    let list = source.split("crate::texts! {").nth(1).unwrap_or_default();
    let list = list.split("\n}").next().unwrap_or_default();
    list.lines()
        .filter_map(|line| line.trim().strip_suffix("\",")?.split_once(" = \""))
        .map(|(name, key)| Name {
            in_source: name.to_owned(),
            key: key.to_owned(),
        })
        .collect()
}

/// The arms of the one `match` in a language's function, by name.
fn wordings_in(source: &str) -> Result<BTreeMap<String, String>> {
    let file = syn::parse_file(source)?;
    let body = file.items.iter().find_map(|item| match item {
        Item::Fn(function) => function.block.stmts.first(),
        _ => None,
    });
    let Some(Stmt::Expr(Expr::Match(texts), _)) = body else {
        bail!("its function is no `match`");
    };
    let arm = |arm: &syn::Arm| {
        let Pat::Path(name) = &arm.pat else {
            return None;
        };
        let name = name.path.segments.last()?.ident.to_string();
        Some((name, literal(&arm.body)?))
    };
    Ok(texts.arms.iter().filter_map(arm).collect())
}

/// A text, alone or in braces.
fn literal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        Expr::Block(block) => match block.block.stmts.as_slice() {
            [Stmt::Expr(inner, _)] => literal(inner),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGES, names, wordings};

    #[test]
    fn every_language_has_every_text() {
        let names = names().unwrap();
        let place = names.iter().position(|name| name.key == "choose.heading");
        let heading = |language| {
            wordings(&names, language)
                .unwrap()
                .swap_remove(place.unwrap())
        };
        assert_eq!(heading(None), "¿Cómo quieres pagar?");
        assert_eq!(heading(Some("en")), "How would you like to pay?");
        for (_, source) in LANGUAGES {
            assert_eq!(wordings(&names, Some(source)).unwrap().len(), names.len());
        }
    }
}
