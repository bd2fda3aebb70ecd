//! Makes Yew's private names in the glue unique.
//!
//! Yew brands DOM nodes with three properties and counts their values from 1 in each wasm. Two Yew
//! modules on one page would read each other's brands, and a click in one would fire the handlers
//! of the other. Only the glue has these names, so they are changed there, to names with the module
//! and its version.

use super::Module;
use anyhow::{Context, Result, bail};
use std::fs;

const BRANDS: [&str; 3] = [
    "__yew_subtree_id",
    "__yew_subtree_cache_key",
    "__yew_listener_id",
];

/// Renames the properties in the glue in the module's workbench.
pub(crate) fn rename(module: &Module, version: &str) -> Result<()> {
    let path = module.workbench().join(module.glue_file());
    let glue =
        fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let renamed = renamed(&glue, module.glue, version)?;
    fs::write(&path, renamed).with_context(|| format!("could not write {}", path.display()))
}

fn renamed(glue: &str, name: &str, version: &str) -> Result<String> {
    let mut text = glue.to_owned();
    for brand in BRANDS {
        if !text.contains(brand) {
            bail!(
                "the glue does not mention `{brand}`: this version of Yew brands its nodes in \
                 another way; find out how, and keep two Yew modules on one page apart again"
            );
        }
        let own = brand.replacen("__yew", &prefix(name, version), 1);
        text = text.replace(brand, &own);
    }
    Ok(text)
}

/// An identifier made of the module's name and version.
fn prefix(name: &str, version: &str) -> String {
    let plain: String = format!("{name}_{version}")
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '_'
            }
        })
        .collect();
    format!("__{plain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_brand_gets_the_module_and_version() {
        let glue = "a.__yew_subtree_id; b.__yew_subtree_cache_key = c; d.__yew_listener_id";
        let own = renamed(glue, "payment-checkout-wasm", "0.1.0-rc.1").unwrap();
        assert_eq!(
            own,
            "a.__payment_checkout_wasm_0_1_0_rc_1_subtree_id; \
             b.__payment_checkout_wasm_0_1_0_rc_1_subtree_cache_key = c; \
             d.__payment_checkout_wasm_0_1_0_rc_1_listener_id"
        );
    }

    #[test]
    fn glue_without_a_brand_is_refused() {
        let error = renamed("a.__yew_subtree_id", "x", "1.0.0").unwrap_err();
        assert!(error.to_string().contains("__yew_subtree_cache_key"));
    }
}
