//! The database and the transactions on it.

use super::engine::{Pool, PooledConnection, Snapshot};
use super::error::DbError;
use super::unsynced_writes::Unsynced;
use super::write_queue::Writers;
use super::write_transaction::Writing;
use std::fs::File;
use std::sync::Arc;

/// One database, which belongs to this process as long as it lives.
#[derive(Clone)]
pub(crate) struct Db(Arc<Parts>);

struct Parts {
    readers: Pool,
    writers: Writers,
    lock: File,
}

impl Db {
    pub(super) fn new(readers: Pool, writers: Writers, lock: File) -> Self {
        Self(Arc::new(Parts {
            readers,
            writers,
            lock,
        }))
    }

    /// Begins to write; what is committed is durable.
    pub(super) async fn write(&self) -> Result<Writing, DbError> {
        self.0.writers.begin().await
    }

    /// Begins to write what may be lost when the power fails.
    pub(super) async fn write_unsynced(&self) -> Result<Unsynced, DbError> {
        self.0.writers.begin_unsynced().await
    }

    /// Goes on so after a transaction that has written nothing, before anybody else can write.
    pub(super) async fn write_unsynced_instead(
        &self,
        unwritten: Writing,
    ) -> Result<Unsynced, DbError> {
        self.0.writers.instead(unwritten).await
    }

    /// A connection for one statement that reads.
    pub(super) async fn reader(&self) -> Result<PooledConnection, DbError> {
        Ok(self.0.readers.acquire().await?)
    }

    /// A transaction for reading: all that it sees belongs together.
    pub(super) async fn read(&self) -> Result<Snapshot, DbError> {
        Ok(self.0.readers.begin().await?)
    }

    /// The file that marks the database as taken; ours, and empty.
    pub(super) fn lock_file(&self) -> &File {
        &self.0.lock
    }

    /// Gives the database back; nothing can be stored afterwards.
    pub(crate) async fn close(&self) {
        self.0.readers.close().await;
        self.0.writers.close().await;
        // The system would give it back anyway when the process ends.
        let _ = self.0.lock.unlock();
    }

    /// How many commits waited for the disk.
    #[cfg(test)]
    pub(super) fn syncs(&self) -> u64 {
        self.0.writers.syncs()
    }
}
