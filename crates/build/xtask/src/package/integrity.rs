//! The hashes of the files that browsers load, in `integrity.json`: a page pins them, and `payment-checkout-element verify`
//! compares a live page with them.

use crate::{folders, project};
use anyhow::{Context, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fs_err as fs;
use serde_json::json;
use sha2::{Digest, Sha384};
use std::collections::BTreeMap;
use std::path::Path;

/// What runs or draws in a page. Maps are for developers, and `preload.html` is copied into pages.
const LOADED: [&str; 3] = ["css", "js", "wasm"];

/// The hashes of the files in these folders of the package, by their paths in it.
pub(super) fn text(package: &Path, parts: &[&str]) -> Result<String> {
    let mut hashes = BTreeMap::new();
    for part in parts {
        for file in folders::files(&package.join(part))? {
            let ending = file.extension().and_then(|ending| ending.to_str());
            if !ending.is_some_and(|ending| LOADED.contains(&ending)) {
                continue;
            }
            let name = file.strip_prefix(package)?.to_str();
            let name = name.context("a file of the package has a name that is no text")?;
            let hash = Sha384::digest(fs::read(&file)?);
            hashes.insert(name.to_owned(), format!("sha384-{}", STANDARD.encode(hash)));
        }
    }
    let release = json!({ "version": project::VERSION, "files": hashes });
    Ok(serde_json::to_string_pretty(&release)? + "\n")
}
