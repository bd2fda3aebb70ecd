//! The checked-in budgets, with dated figures: `xtask/budget.toml`.

use crate::{project, say};
use anyhow::{Context, Result};
use std::fs;

/// Bytes after brotli that a group of files may come to, and what it came to before.
#[derive(Debug)]
pub(crate) struct Budget {
    pub(crate) element: usize,
    pub(crate) operations: usize,
    pub(crate) shop: usize,
    measured: Vec<Measured>,
}

/// What was measured once.
#[derive(Debug)]
struct Measured {
    date: String,
    element: usize,
    /// Not in the figures from before it was a wasm of its own.
    operations: Option<usize>,
    shop: usize,
    note: String,
}

impl Budget {
    /// Reads the file.
    pub(crate) fn read() -> Result<Self> {
        let path = project::root().join("xtask/budget.toml");
        let text = fs::read_to_string(&path)
            .with_context(|| format!("could not read {}", path.display()))?;
        Self::parse(&text).context("xtask/budget.toml")
    }

    /// Prints what was measured before, for comparison.
    pub(crate) fn print_history(&self) {
        if self.measured.is_empty() {
            return;
        }
        say::heading("measured before (brotli 11)");
        for measured in &self.measured {
            say!(
                "{:<12} element {:>8}   operations {:>8}   shop {:>8}   {}",
                measured.date,
                say::bytes(measured.element),
                measured
                    .operations
                    .map_or_else(|| "-".to_owned(), say::bytes),
                say::bytes(measured.shop),
                measured.note
            );
        }
    }

    fn parse(text: &str) -> Result<Self> {
        let table: toml::Table = text.parse().context("is not TOML")?;
        let budget = table
            .get("budget")
            .and_then(toml::Value::as_table)
            .context("has no [budget]")?;
        let measured = table.get("measured").and_then(toml::Value::as_array);
        Ok(Self {
            element: number(budget, "element")?,
            operations: number(budget, "operations")?,
            shop: number(budget, "shop")?,
            measured: measured
                .into_iter()
                .flatten()
                .filter_map(toml::Value::as_table)
                .map(Measured::parse)
                .collect::<Result<_>>()?,
        })
    }
}

impl Measured {
    fn parse(entry: &toml::Table) -> Result<Self> {
        let text = |key: &str| {
            entry
                .get(key)
                .and_then(toml::Value::as_str)
                .map(str::to_owned)
                .with_context(|| format!("[[measured]] lacks the text `{key}`"))
        };
        Ok(Self {
            date: text("date")?,
            element: number(entry, "element")?,
            operations: number(entry, "operations").ok(),
            shop: number(entry, "shop")?,
            note: text("note")?,
        })
    }
}

fn number(table: &toml::Table, key: &str) -> Result<usize> {
    table
        .get(key)
        .and_then(toml::Value::as_integer)
        .and_then(|number| usize::try_from(number).ok())
        .with_context(|| format!("lacks the number `{key}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checked_in_file_is_readable() {
        let budget = Budget::read().unwrap();
        assert!(budget.element > 0 && budget.operations > 0 && budget.shop > 0);
    }

    #[test]
    fn a_missing_number_is_named() {
        let error = Budget::parse("[budget]\nelement = 1\noperations = 1").unwrap_err();
        assert!(error.to_string().contains("`shop`"));
    }
}
