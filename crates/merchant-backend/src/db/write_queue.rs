//! The connections that write, and the queue for them.

use super::delayed_durability::Delayed;
use super::engine::Pool;
use super::error::DbError;
use super::write_transaction::Writing;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// For how long a writer waits for those before it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The two connections that write, one with commits that wait for the disk and one without, and one
/// queue for both: SQLite has one writer, and its own waiting is not fair.
pub(super) struct Writers {
    synced: Pool,
    delayed: Pool,
    queue: Arc<Mutex<()>>,
    /// How many commits waited for the disk.
    syncs: Arc<AtomicU64>,
}

impl Writers {
    pub(super) fn new(synced: Pool, delayed: Pool) -> Self {
        Self {
            synced,
            delayed,
            queue: Arc::default(),
            syncs: Arc::default(),
        }
    }

    async fn turn(&self) -> Result<OwnedMutexGuard<()>, DbError> {
        let turn = Arc::clone(&self.queue).lock_owned();
        tokio::time::timeout(PATIENCE, turn)
            .await
            .map_err(|_| DbError("too many want to write".to_owned()))
    }

    pub(super) async fn begin(&self) -> Result<Writing, DbError> {
        let turn = self.turn().await?;
        let syncs = Arc::clone(&self.syncs);
        Writing::begin_in_turn(&self.synced, Some(turn), syncs).await
    }

    pub(super) async fn begin_delayed(&self) -> Result<Delayed, DbError> {
        let turn = self.turn().await?;
        Delayed::begin(&self.delayed, Some(turn)).await
    }

    /// Continues without waiting for the disk after a transaction that has written nothing, before
    /// another writer.
    pub(super) async fn instead(&self, unwritten: Writing) -> Result<Delayed, DbError> {
        let turn = unwritten.end().await?;
        Delayed::begin(&self.delayed, turn).await
    }

    pub(super) async fn close(&self) {
        self.synced.close().await;
        self.delayed.close().await;
    }

    /// How many commits waited for the disk.
    #[cfg(test)]
    pub(super) fn syncs(&self) -> u64 {
        self.syncs.load(std::sync::atomic::Ordering::Relaxed)
    }
}
