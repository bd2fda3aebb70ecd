//! The connections that write, and the queue for the one writer of a file.

use super::delayed_durability::Delayed;
use super::engine::{Engine, Pool};
use super::error::DbError;
use super::scope::Scope;
use super::write_transaction::Writing;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// For how long a writer waits for those before it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The connections that write.
pub(super) struct Writers {
    connections: Connections,
    /// How many commits waited for the disk.
    syncs: Arc<AtomicU64>,
}

enum Connections {
    /// One connection with commits that wait for the disk and one without, and one queue for both:
    /// SQLite has one writer, and its own waiting is not fair.
    File {
        synced: Pool,
        delayed: Pool,
        queue: Arc<Mutex<()>>,
    },
    /// Several connections that write at once. Locks of rows are their queues, and each
    /// transaction chooses whether its commit waits.
    Server(Pool),
}

impl Writers {
    pub(super) fn of_file(synced: Pool, delayed: Pool) -> Self {
        Self {
            connections: Connections::File {
                synced,
                delayed,
                queue: Arc::default(),
            },
            syncs: Arc::default(),
        }
    }

    pub(super) fn of_server(pool: Pool) -> Self {
        Self {
            connections: Connections::Server(pool),
            syncs: Arc::default(),
        }
    }

    pub(super) fn engine(&self) -> Engine {
        match self.connections {
            Connections::File { .. } => Engine::Sqlite,
            Connections::Server(_) => Engine::Postgres,
        }
    }

    pub(super) async fn begin(&self, scope: Scope<'_>) -> Result<Writing, DbError> {
        let (pool, turn) = match &self.connections {
            Connections::File { synced, queue, .. } => (synced, Some(turn(queue).await?)),
            Connections::Server(pool) => (pool, None),
        };
        let syncs = Arc::clone(&self.syncs);
        let mut writing = Writing::begin_in_turn(pool, turn, syncs).await?;
        scope.lock(&mut writing).await?;
        Ok(writing)
    }

    pub(super) async fn begin_delayed(&self, scope: Scope<'_>) -> Result<Delayed, DbError> {
        match &self.connections {
            Connections::File { delayed, queue, .. } => {
                Delayed::begin(delayed, Some(turn(queue).await?)).await
            }
            Connections::Server(pool) => {
                let mut writing = Writing::begin(pool).await?;
                scope.lock(&mut writing).await?;
                Delayed::of_server(writing).await
            }
        }
    }

    /// Continues without waiting for the disk after a transaction that has written nothing, before
    /// another writer.
    pub(super) async fn instead(&self, unwritten: Writing) -> Result<Delayed, DbError> {
        match &self.connections {
            Connections::File { delayed, .. } => {
                let turn = unwritten.end().await?;
                Delayed::begin(delayed, turn).await
            }
            Connections::Server(_) => Delayed::of_server(unwritten).await,
        }
    }

    pub(super) async fn close(&self) {
        match &self.connections {
            Connections::File {
                synced, delayed, ..
            } => {
                synced.close().await;
                delayed.close().await;
            }
            Connections::Server(pool) => pool.close().await,
        }
    }

    /// How many commits waited for the disk.
    #[cfg(test)]
    pub(super) fn syncs(&self) -> u64 {
        self.syncs.load(std::sync::atomic::Ordering::Relaxed)
    }
}

async fn turn(queue: &Arc<Mutex<()>>) -> Result<OwnedMutexGuard<()>, DbError> {
    let turn = Arc::clone(queue).lock_owned();
    tokio::time::timeout(PATIENCE, turn)
        .await
        .map_err(|_| DbError::Away("too many want to write".to_owned()))
}
