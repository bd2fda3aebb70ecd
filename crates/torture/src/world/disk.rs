//! The files of the server's database.

use anyhow::Result;
use std::path::{Path, PathBuf};

/// The files of a database, by the ends of their names.
pub(super) type Image = Vec<(&'static str, Vec<u8>)>;

/// The files of a database as they are on the disk: a killed process leaves these behind. A connection that is being
/// closed moves its log into the file and removes the log, so the log is read first: then nothing is missed.
pub(super) fn image(file: &Path) -> Result<Image> {
    let log = std::fs::read(with_end(file, "-wal")).ok();
    let mut image = vec![("", std::fs::read(file)?)];
    image.extend(log.map(|log| ("-wal", log)));
    Ok(image)
}

pub(super) fn with_end(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// A directory in memory, where there is one: no world outlives its process.
pub(super) fn fast_directory() -> PathBuf {
    let memory = Path::new("/dev/shm");
    match memory.is_dir() {
        true => memory.to_owned(),
        false => std::env::temp_dir(),
    }
}
