//! The folders: the repository, cargo's output, the user's cache.

use anyhow::{Context, Result, bail};
use fs_err as fs;
use std::path::{Path, PathBuf};

/// The top of the repository.
pub fn root() -> &'static Path {
    // The manifest of xtask is one folder below the top.
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
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

/// The exact version of wasm-bindgen; its command-line tool must have exactly the same version.
pub(crate) fn wasm_bindgen_version() -> Result<String> {
    let stated = stated("dependencies", "wasm-bindgen")?;
    match stated.strip_prefix('=') {
        Some(version) => Ok(version.trim().to_owned()),
        None => bail!(
            "Cargo.toml states wasm-bindgen `{stated}`; write `={stated}`, because the tool \
             and the crate must be the same version"
        ),
    }
}

/// The version that the package carries.
pub(crate) fn package_version() -> Result<String> {
    stated("package", "version")
}

/// A version from the top `Cargo.toml`, which states all shared versions.
fn stated(table: &str, key: &str) -> Result<String> {
    let path = root().join("Cargo.toml");
    let manifest: toml::Table = fs::read_to_string(&path)?
        .parse()
        .with_context(|| format!("{} is not TOML", path.display()))?;
    let entry = manifest
        .get("workspace")
        .and_then(|workspace| workspace.get(table))
        .and_then(|entries| entries.get(key));
    entry
        .and_then(|entry| entry.as_str().or_else(|| entry.get("version")?.as_str()))
        .map(str::to_owned)
        .with_context(|| format!("Cargo.toml states no version `{key}` in [workspace.{table}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_pins_wasm_bindgen() {
        assert!(wasm_bindgen_version().unwrap().starts_with("0.2."));
    }

    #[test]
    fn the_root_is_the_workspace() {
        assert!(root().join("Trunk.toml").is_file());
    }
}
