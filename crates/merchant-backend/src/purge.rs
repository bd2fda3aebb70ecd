//! Removing what is known of the payers of old orders, beside the running server.

use crate::clock::now;
use crate::db::{DbError, PurgeFile, PurgeFileError};
use std::path::Path;
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);

/// Orders of one transaction: the running server waits that long to write.
const BATCH: u32 = 100;

/// The result of a purge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purged {
    /// Orders whose payers were forgotten.
    pub orders: u64,
    /// Orders as old, about which something is unfinished.
    pub left: u64,
}

/// Why a purge is not done, or not wholly; says what to do.
#[derive(Debug, thiserror::Error)]
pub enum PurgeError {
    /// The file cannot be opened.
    #[error("DATABASE: {0} cannot be opened ({1}); name the file of a merchant-backend")]
    Unreadable(String, String),
    /// The file is of another version.
    #[error(
        "DATABASE: {0} is of another version; start this version of merchant-backend on it once, or purge with the version that runs"
    )]
    OtherVersion(String),
    /// Something failed on the way; what was done stays done.
    #[error("the purge stopped: {0}; run it again")]
    Stopped(String),
    /// The log still has what was removed, because somebody reads an old state.
    #[error(
        "the payers were removed, but the write-ahead log still holds them, since the file is being read; run it again"
    )]
    LogInUse,
}

impl From<DbError> for PurgeError {
    fn from(error: DbError) -> Self {
        Self::Stopped(error.to_string())
    }
}

/// Forgets the payers of orders that are older than so many days and finished.
///
/// # Errors
/// Says what to do about it.
pub async fn purge(database: &Path, days: u32) -> Result<Purged, PurgeError> {
    let file = PurgeFile::open(database).await.map_err(|error| {
        let name = database.display().to_string();
        match error {
            PurgeFileError::Unreadable(cause) => PurgeError::Unreadable(name, cause),
            PurgeFileError::OtherVersion => PurgeError::OtherVersion(name),
        }
    })?;
    let before = now().saturating_sub(DAY.saturating_mul(days));
    let mut orders = 0;
    loop {
        let done = file.batch(before, days, BATCH).await?;
        orders += done;
        if done == 0 {
            break;
        }
    }
    let left = file.left(before).await?;
    // Also when nothing was found: the last purge may have left the log.
    if !file.empty_log().await? {
        return Err(PurgeError::LogInUse);
    }
    file.close().await;
    Ok(Purged { orders, left })
}
