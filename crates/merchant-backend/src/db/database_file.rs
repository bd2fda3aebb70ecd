//! The file of the database, which belongs to one process, and the reasons not to use it.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Why the database cannot be used; each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file, or the one beside it that marks it as taken, cannot be opened.
    #[error(
        "DATABASE: {path} cannot be opened ({cause}); name a file in a directory that exists and may be written"
    )]
    Unreadable {
        /// The file.
        path: String,
        /// The cause, in the system's words.
        cause: String,
    },
    /// Another process uses it.
    #[error(
        "DATABASE: {0} is in use by another merchant-backend; stop that one or name another file"
    )]
    InUse(String),
    /// A newer program wrote it.
    #[error("DATABASE: {0} was written by a newer version; run that version, or name another file")]
    Newer(String),
    /// The schema could not be brought up to date.
    #[error("DATABASE: the schema of {0} cannot be brought up to date: {1}")]
    Schema(String, String),
    /// A setting did not take effect.
    #[error(
        "DATABASE: {path} does not keep {wanted} (it answered {found}); use a local file system"
    )]
    Careless {
        /// The file.
        path: String,
        /// The setting.
        wanted: &'static str,
        /// The value when it was read back.
        found: String,
    },
}

/// Makes a file that only its owner can read, since it holds names and addresses of people; an
/// existing file keeps its permissions.
fn private() -> OpenOptions {
    let mut options = File::options();
    options.create(true).truncate(false).write(true).mode(0o600);
    options
}

/// Makes the file if there is none, and locks it for this process; the system releases the lock
/// when the process ends.
pub(super) fn lock(path: &Path, name: &str) -> Result<File, DatabaseError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let unreadable = |cause: std::io::Error| DatabaseError::Unreadable {
        path: name.to_owned(),
        cause: cause.to_string(),
    };
    let file = private().open(beside).map_err(unreadable)?;
    match file.try_lock() {
        Ok(()) => {
            // The file is made here, because SQLite would let every user of the machine read it;
            // the files that SQLite puts beside it get the same permissions.
            private().open(path).map_err(unreadable)?;
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => Err(DatabaseError::InUse(name.to_owned())),
        Err(TryLockError::Error(cause)) => Err(unreadable(cause)),
    }
}

/// True while a process has the file. Takes nothing and makes no file.
pub(super) fn is_taken(path: &Path) -> bool {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    // Closing the file at the end releases a lock that was free.
    let lock = File::open(beside).map(|file| file.try_lock());
    matches!(lock, Ok(Err(TryLockError::WouldBlock)))
}
