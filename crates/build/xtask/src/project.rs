//! The folders: the repository, cargo's output, the user's cache.

use anyhow::{Context, Result};
use fs_err as fs;
use std::path::{Path, PathBuf};

/// The top of the repository.
pub fn root() -> &'static Path {
    // The manifest of xtask is three folders below the top.
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(3)
        .unwrap_or(Path::new("."))
}

/// The folder that a chore writes: `target/<name>`.
pub fn output(name: &str) -> PathBuf {
    root().join("target").join(name)
}

/// Cargo's own target folder, also if cargo was told to use another one: this program lies in
/// `<target>/<profile>/xtask`.
pub(crate) fn cargo_target() -> Result<PathBuf> {
    let program = std::env::current_exe().context("could not find this program's own path")?;
    program
        .ancestors()
        .nth(2)
        .map(Path::to_path_buf)
        .with_context(|| format!("{} is not in a target folder", program.display()))
}

/// The cache that all clones of this user share, for tools that take minutes to build.
pub(crate) fn cache() -> Result<PathBuf> {
    let base = match std::env::var_os("XDG_CACHE_HOME") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => PathBuf::from(std::env::var_os("HOME").context(
            "neither XDG_CACHE_HOME nor HOME is set, so there is no place for the tools; \
             set XDG_CACHE_HOME to a folder that you may write to",
        )?)
        .join(".cache"),
    };
    Ok(base.join("payment-checkout"))
}

/// The version of the workspace, which the npm package carries too.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of wasm-bindgen that Cargo.lock pins, which its tools must have too.
pub(crate) fn wasm_bindgen_version() -> Result<String> {
    let lock: toml::Table = fs::read_to_string(root().join("Cargo.lock"))?.parse()?;
    let mut packages = lock["package"].as_array().into_iter().flatten();
    packages
        .find(|package| package["name"].as_str() == Some("wasm-bindgen"))
        .and_then(|package| package["version"].as_str())
        .map(str::to_owned)
        .context("Cargo.lock has no wasm-bindgen")
}
