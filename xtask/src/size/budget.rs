//! The checked-in budget, a history of dated figures: `xtask/budget.toml`.

use crate::{project, say};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs;

/// The permitted growth since the last measurement, in hundredths.
const GROWTH: usize = 1;

/// The measured sizes of all groups of files, the newest last.
#[derive(Debug, Deserialize)]
pub(crate) struct Budget {
    measured: Vec<Measured>,
}

/// One measurement, in bytes after brotli. The package is measured as npm packs it.
#[derive(Debug, Deserialize)]
pub(crate) struct Measured {
    date: String,
    pub(crate) element: usize,
    /// Absent in figures from before the element had a wasm of its own.
    pub(crate) operations: Option<usize>,
    pub(crate) shop: usize,
    /// Absent in figures from before the package existed.
    pub(crate) package: Option<usize>,
    note: String,
}

/// Returns the largest allowed size, given the last measured one.
pub(crate) fn limit(measured: usize) -> usize {
    measured + measured * GROWTH / 100
}

impl Budget {
    /// Reads the file.
    pub(crate) fn read() -> Result<Self> {
        let path = project::root().join("xtask/budget.toml");
        let text = fs::read_to_string(&path)
            .with_context(|| format!("could not read {}", path.display()))?;
        Self::parse(&text).context("xtask/budget.toml")
    }

    /// The newest figures, the reference for new ones.
    pub(crate) fn newest(&self) -> Result<&Measured> {
        let newest = self.measured.last();
        newest.context("xtask/budget.toml has no [[measured]]")
    }

    /// Prints the earlier figures for comparison.
    pub(crate) fn print_history(&self) {
        say::heading("measured before (brotli 11)");
        let optional = |bytes: Option<usize>| bytes.map_or_else(|| "-".to_owned(), say::bytes);
        for measured in &self.measured {
            say!(
                "{:<12} element {:>8}   operations {:>8}   shop {:>8}   package {:>8}   {}",
                measured.date,
                say::bytes(measured.element),
                optional(measured.operations),
                say::bytes(measured.shop),
                optional(measured.package),
                measured.note
            );
        }
    }

    fn parse(text: &str) -> Result<Self> {
        Ok(toml::from_str(text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_figures_have_every_group() {
        let budget = Budget::read().unwrap();
        let newest = budget.newest().unwrap();
        assert!(newest.element > 0 && newest.shop > 0);
        assert!(newest.operations.is_some() && newest.package.is_some());
    }

    #[test]
    fn a_missing_number_is_named() {
        let text = "[[measured]]\ndate = \"d\"\nelement = 1\nnote = \"n\"";
        assert!(
            Budget::parse(text)
                .unwrap_err()
                .to_string()
                .contains("`shop`")
        );
    }

    #[test]
    fn a_hundredth_more_is_let_pass() {
        assert_eq!(limit(1000), 1010);
    }
}
