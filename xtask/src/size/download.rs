//! One file as a server sends it.

use crate::compression::{brotli, gzip};
use crate::folders;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// A file's sizes in bytes.
#[derive(Default)]
pub(crate) struct Download {
    pub(crate) name: String,
    pub(crate) raw: usize,
    pub(crate) gzip: usize,
    pub(crate) brotli: usize,
}

impl Download {
    /// Measures one file.
    pub(crate) fn of_file(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("could not read {}", path.display()))?;
        Ok(Self {
            name: path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            raw: bytes.len(),
            gzip: gzip(&bytes)?,
            brotli: brotli(&bytes)?,
        })
    }

    /// Measures every file of a folder and of the folders in it, the largest download first.
    pub(crate) fn of_folder(folder: &Path) -> Result<Vec<Self>> {
        let files = folders::files(folder)?;
        let files = files.iter().map(|path| Self::of_file(path));
        let mut files: Vec<_> = files.collect::<Result<_>>()?;
        files.sort_by_key(|file| std::cmp::Reverse(file.brotli));
        Ok(files)
    }

    /// All of them together; each is compressed by itself, as it is sent.
    pub(crate) fn sum(files: &[Self]) -> Self {
        let mut sum = Self::default();
        for file in files {
            sum.raw += file.raw;
            sum.gzip += file.gzip;
            sum.brotli += file.brotli;
        }
        sum
    }
}
