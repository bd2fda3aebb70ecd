//! PostgreSQL's server, which Debian has.

use super::cargo_tool::find_on_path;
use super::debian;
use anyhow::{Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Debian has a folder for each version here.
const VERSIONS: &str = "/usr/lib/postgresql";

/// The folder of the programs of the newest version; installs one where that needs no question.
pub(crate) fn install() -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if debian::is_ours() {
        debian::install("PostgreSQL", &["--no-install-recommends", "postgresql"])?;
    }
    match find() {
        Some(found) => Ok(found),
        None => {
            bail!("there is no PostgreSQL (Debian: `apt-get install postgresql`)")
        }
    }
}

fn find() -> Option<PathBuf> {
    newest(Path::new(VERSIONS)).or_else(|| find_on_path("initdb")?.parent().map(Path::to_path_buf))
}

fn newest(versions: &Path) -> Option<PathBuf> {
    let version = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    fs::read_dir(versions)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("bin/initdb").is_file())
        .max_by_key(version)
        .map(|path| path.join("bin"))
}
