//! Compares the public items of each crate with its snapshot.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Asks for new snapshots in place of a comparison.
const UPDATE: &str = "UPDATE_SNAPSHOTS";

/// The folder with the documentation of all crates as JSON. One call writes it, with the features that lints compile with,
/// so that few dependencies are compiled again. `element-printer` and `bench` are left out, since they give others public items.
static DOCUMENTATION: LazyLock<PathBuf> = LazyLock::new(|| {
    let mut doc = Command::new(env!("CARGO"));
    // Build scripts of dependencies would run again because of this test's own package, and with them all that needs
    // them would be compiled again, here and in the next command.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            doc.env_remove(&name);
        }
    }
    let done = doc
        .args(
            "doc --quiet --no-deps --workspace --exclude element-printer --exclude bench --lib --examples"
                .split(' '),
        )
        .env("RUSTDOC", env!("CARGO_BIN_EXE_unstable-rustdoc"))
        .env(
            "RUSTDOCFLAGS",
            "-Zunstable-options --output-format json --cap-lints allow",
        )
        .status()
        .unwrap();
    assert!(done.success(), "rustdoc failed");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    target.join("doc")
});

/// Lists the public items of a crate of the workspace, one a line.
fn public_items(package: &str) -> String {
    let json = DOCUMENTATION.join(package.replace('-', "_") + ".json");
    let items = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .unwrap();
    items.to_string()
}

fn compare(package: &str) {
    let now = public_items(package);
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("snapshots")
        .join(format!("{package}.txt"));
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&file, now).unwrap();
        return;
    }
    let before = fs::read_to_string(&file).unwrap_or_default();
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let gone = old.iter().filter(|line| !new.contains(line));
    let came = new.iter().filter(|line| !old.contains(line));
    let changes: Vec<String> = gone
        .map(|line| format!("- {line}"))
        .chain(came.map(|line| format!("+ {line}")))
        .collect();
    assert!(
        changes.is_empty(),
        "the public items of {package} changed; if they should, write them down with \
         `{UPDATE}=1 cargo test --package interfaces`, and the changelog has a line:\n{}",
        changes.join("\n")
    );
}

#[test]
fn of_payment_model() {
    compare("payment-model");
}

#[test]
fn of_checkout_flow() {
    compare("checkout-flow");
}

#[test]
fn of_staff_model() {
    compare("staff-model");
}

#[test]
fn of_merchant_backend() {
    compare("merchant-backend");
}

#[test]
fn of_payment_checkout() {
    compare("payment-checkout");
}
