//! Folders, with the folders in them.

use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The files in a folder, by their paths, but for those that tools put there.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    let by_tools = |name: &OsStr| name == "dist" || name == "node_modules";
    let entries = walk.filter_entry(|entry| !by_tools(entry.file_name()));
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    let files = entries
        .into_iter()
        .filter(|entry| !entry.file_type().is_dir());
    Ok(files.map(walkdir::DirEntry::into_path).collect())
}

/// Copies these files to the same places in another folder.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    for file in files(from)? {
        let new = to.join(file.strip_prefix(from)?);
        let copied =
            fs::create_dir_all(new.parent().unwrap_or(to)).and_then(|()| fs::copy(&file, &new));
        copied
            .with_context(|| format!("could not copy {} to {}", file.display(), new.display()))?;
    }
    Ok(())
}
