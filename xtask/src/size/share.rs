//! Shows what the wasm consists of.

use super::parts::{owner, plain, purpose};
use crate::compression::brotli;
use crate::say;
use crate::wasm::sections;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// How many of the largest functions are of interest.
const FUNCTIONS: usize = 20;

/// Prints how much of a wasm that kept its names is whose, and for what, and its largest functions.
pub(crate) fn print(path: &Path) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("could not read {}", path.display()))?;
    let module = sections::read(&bytes).context("the wasm could not be taken apart")?;
    let names = module.functions.iter();
    let names: Vec<_> = names.map(|function| plain(&function.name)).collect();
    let named = || names.iter().zip(&module.functions);
    for (title, group) in [
        ("by owner", owner as fn(&str) -> &'static str),
        ("by purpose", purpose),
    ] {
        let mut groups: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
        for (name, function) in named() {
            let places = groups.entry(group(name)).or_default();
            places.push(function.code.clone());
        }
        groups.insert("(constants)", module.data.clone());
        table(title, &bytes, groups)?;
    }
    say::heading("the largest functions (raw bytes)");
    let mut functions: Vec<_> = named().collect();
    functions.sort_by_key(|(_, function)| std::cmp::Reverse(function.code.len()));
    for (name, function) in functions.into_iter().take(FUNCTIONS) {
        say!("{:>9}  {name}", say::bytes(function.code.len()));
    }
    Ok(())
}

/// Prints the groups, the largest first. The share of the download is an estimate: each group is
/// compressed by itself.
fn table(title: &str, bytes: &[u8], groups: BTreeMap<&str, Vec<Range<usize>>>) -> Result<()> {
    let groups = groups.into_iter().map(|(name, places)| {
        let part: Vec<u8> = places
            .iter()
            .flat_map(|place| &bytes[place.clone()])
            .copied()
            .collect();
        Ok((name, part.len(), brotli(&part)?))
    });
    let mut groups: Vec<_> = groups.collect::<Result<_>>()?;
    groups.sort_by_key(|(_, _, packed)| std::cmp::Reverse(*packed));
    let all: usize = groups.iter().map(|(_, _, packed)| packed).sum();
    say::heading(&format!("{title} (raw bytes; share of the download)"));
    for (name, raw, packed) in groups {
        let tenths = packed * 1000 / all.max(1);
        let share = format!("{}.{} %", tenths / 10, tenths % 10);
        say!("{:>9}  {share:>6}  {name}", say::bytes(raw));
    }
    Ok(())
}
