//! Shows which crates the wasm consists of.

use crate::say;
use crate::wasm::sections::{self, Module};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How many rows of each table are of interest.
const ROWS: usize = 25;

/// Prints the largest crates and functions of a wasm that kept its names.
pub(crate) fn print(path: &Path) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("could not read {}", path.display()))?;
    let module: Module = sections::read(&bytes).context("the wasm could not be taken apart")?;
    let mut crates: BTreeMap<&str, usize> = BTreeMap::new();
    for function in &module.functions {
        *crates.entry(crate_of(&function.name)).or_default() += function.size;
    }
    crates.insert("(constants)", module.data);
    rows("by crate (raw bytes of the wasm)", crates.into_iter());
    let functions = module.functions.iter();
    rows(
        "by function",
        functions.map(|function| (function.name.as_str(), function.size)),
    );
    Ok(())
}

fn rows<'a>(title: &str, entries: impl Iterator<Item = (&'a str, usize)>) {
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    say::heading(title);
    for (name, size) in entries.into_iter().take(ROWS) {
        say!("{:>9}  {name}", say::bytes(size));
    }
}

/// The crate in a demangled name such as `<yew::html::Node as core::fmt::Debug>::fmt::h0123`.
fn crate_of(name: &str) -> &str {
    let start = name.trim_start_matches(|letter: char| !letter.is_alphabetic() && letter != '_');
    let start = ["mut ", "dyn ", "const ", "impl "]
        .iter()
        .fold(start, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
    let end = start
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(start.len());
    if start[end..].starts_with("::") || start[end..].starts_with('[') {
        &start[..end]
    } else {
        "(no crate)"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crate_is_found_in_every_form_of_name() {
        assert_eq!(crate_of("yew::html::Node::new::h01"), "yew");
        assert_eq!(crate_of("<yew::Node as core::fmt::Debug>::fmt"), "yew");
        assert_eq!(crate_of("<&mut core::str::Chars as X>::next"), "core");
        assert_eq!(crate_of("<dyn alloc::X>::y"), "alloc");
        assert_eq!(crate_of("core[8f3a]::fmt::write"), "core");
        assert_eq!(crate_of("memcpy"), "(no crate)");
    }
}
