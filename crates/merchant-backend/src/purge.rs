//! Removes the personal data of payers from old orders, while the server may run.

use crate::clock::now;
use crate::database_address::DatabaseAddress;
use crate::db::{BesideError, DatabaseError, DbError, PurgeFile};
use std::time::Duration;

/// The orders of one transaction, for which the running server's writes wait.
const BATCH_ORDERS: u32 = 100;

/// The result of a purge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purged {
    /// The orders whose personal data was removed.
    pub orders: u64,
    /// The orders of the same age that keep their personal data, since they are not finished: for
    /// example a payment is in doubt, or an event is not delivered.
    pub left: u64,
}

/// A purge that failed or is not complete. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum PurgeError {
    /// The database of this name cannot be opened, for this reason.
    #[error("DATABASE: {0} cannot be opened ({1}); name the database of a merchant-backend")]
    Unreadable(String, String),
    /// The database of this name has the schema of another version.
    #[error(
        "DATABASE: {0} is of another version; start this version of merchant-backend on it once, or purge with the version that runs"
    )]
    OtherVersion(String),
    /// The database is a file that was copied to a database server, which has taken its place.
    #[error("{0}")]
    Moved(DatabaseError),
    /// The purge stopped after some batches, which stay removed.
    #[error("the purge stopped: {0}; run it again")]
    Stopped(String),
    /// The write-ahead log still contains the removed data, because another process reads the file.
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

/// Removes the payers' personal data from finished orders that are older than this number of days.
///
/// # Errors
/// The database cannot be opened or written, or its write-ahead log is in use.
pub async fn purge(database: &DatabaseAddress, days: u32) -> Result<Purged, PurgeError> {
    let file = PurgeFile::open(database).await.map_err(|error| {
        let name = database.to_string();
        match error {
            BesideError::Unreadable(cause) => PurgeError::Unreadable(name, cause),
            BesideError::OtherVersion => PurgeError::OtherVersion(name),
            BesideError::Moved(moved) => PurgeError::Moved(moved),
        }
    })?;
    let before = now().saturating_sub(Duration::from_hours(24).saturating_mul(days));
    let mut orders = 0;
    loop {
        let done = file.batch(before, days, BATCH_ORDERS).await?;
        orders += done;
        if done == 0 {
            break;
        }
    }
    let left = file.left(before).await?;
    // Done even if no order was purged: an interrupted purge may have left data in the log.
    if !file.empty_log().await? {
        return Err(PurgeError::LogInUse);
    }
    file.close().await;
    Ok(Purged { orders, left })
}
