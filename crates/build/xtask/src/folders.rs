//! Folders, with the folders in them.

use anyhow::Result;
use fs_err as fs;
use std::path::{Path, PathBuf};

/// The files in a folder, by their paths. A file is its own only one.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    if folder.is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        found.extend(files(&entry?.path())?);
    }
    found.sort();
    Ok(found)
}

/// Copies a folder, with the folders in it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    for file in files(from)? {
        let new = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(new.parent().unwrap_or(to))?;
        fs::copy(&file, &new)?;
    }
    Ok(())
}

/// Makes an empty folder, in place of an earlier one.
pub(crate) fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}
