//! The file of the database, which belongs to one process.

use super::database_error::DatabaseError;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

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
