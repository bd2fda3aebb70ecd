//! Removes the data of payers of old orders, beside the running server.

use crate::clock::now;
use crate::database_address::DatabaseAddress;
use crate::db::{BesideError, DatabaseError, DbError, PurgeFile};
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);

/// Orders in one transaction: the running server's writes wait that long.
const BATCH: u32 = 100;

/// The result of a purge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purged {
    /// Orders whose payers were forgotten.
    pub orders: u64,
    /// Orders of the same age that were left, since something about them is unfinished.
    pub left: u64,
}

/// Why a purge failed, or is not complete; each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum PurgeError {
    /// The database cannot be opened.
    #[error("DATABASE: {0} cannot be opened ({1}); name the database of a merchant-backend")]
    Unreadable(String, String),
    /// The database is of another version.
    #[error(
        "DATABASE: {0} is of another version; start this version of merchant-backend on it once, or purge with the version that runs"
    )]
    OtherVersion(String),
    /// The database is a file that was moved.
    #[error("{0}")]
    Moved(DatabaseError),
    /// The purge failed on the way; the finished part stays.
    #[error("the purge stopped: {0}; run it again")]
    Stopped(String),
    /// The log still has the removed data, because a reader holds an old state.
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
/// The remedy is in its message.
pub async fn purge(database: &DatabaseAddress, days: u32) -> Result<Purged, PurgeError> {
    let file = PurgeFile::open(database).await.map_err(|error| {
        let name = database.to_string();
        match error {
            BesideError::Unreadable(cause) => PurgeError::Unreadable(name, cause),
            BesideError::OtherVersion => PurgeError::OtherVersion(name),
            BesideError::Moved(moved) => PurgeError::Moved(moved),
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
    // Also without any orders, since the last purge may have left the log.
    if !file.empty_log().await? {
        return Err(PurgeError::LogInUse);
    }
    file.close().await;
    Ok(Purged { orders, left })
}
