//! The library that shows a program another time, which Debian has.

use super::debian;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// The library; installs it where that needs no question.
pub(crate) fn install() -> Result<PathBuf> {
    if let Some(found) = find()? {
        return Ok(found);
    }
    if debian::is_ours() {
        debian::install("faketime", &["faketime"])?;
    }
    match find()? {
        Some(found) => Ok(found),
        None => bail!("there is no libfaketime (Debian: `apt-get install faketime`)"),
    }
}

/// Debian keeps it below a folder that is named after the processor.
fn find() -> Result<Option<PathBuf>> {
    let libraries = std::fs::read_dir("/usr/lib")?;
    let library = |folder: std::io::Result<std::fs::DirEntry>| {
        let path = folder.ok()?.path().join("faketime/libfaketime.so.1");
        path.is_file().then_some(path)
    };
    Ok(libraries.filter_map(library).next())
}
