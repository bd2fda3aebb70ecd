//! The files of a database of SQLite.

use anyhow::Result;
use std::path::{Path, PathBuf};

/// The files of a database, by the ends of their names.
pub(crate) type Image = Vec<(&'static str, Vec<u8>)>;

/// The files of a database as they are on the disk: a killed process leaves these behind. A connection that is being
/// closed moves its log into the file and removes the log, so the log is read first: then nothing is missed.
pub(crate) fn image(file: &Path) -> Result<Image> {
    let log = std::fs::read(with_end(file, "-wal")).ok();
    let mut image = vec![("", std::fs::read(file)?)];
    image.extend(log.map(|log| ("-wal", log)));
    Ok(image)
}

/// Writes the files of a database at another place.
pub(crate) fn write(image: Image, file: &Path) -> Result<()> {
    for (end, bytes) in image {
        std::fs::write(with_end(file, end), bytes)?;
    }
    Ok(())
}

fn with_end(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// A directory in memory, where there is one: no world outlives its process.
pub(crate) fn fast_directory() -> PathBuf {
    let memory = Path::new("/dev/shm");
    match memory.is_dir() {
        true => memory.to_owned(),
        false => std::env::temp_dir(),
    }
}
