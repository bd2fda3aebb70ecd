//! The database, its transactions, and the queue for the one writer of a file.

use super::async_commit::AsyncCommitTx;
use super::engine::postgres;
use super::engine::{Connection, Engine, Pool};
use super::error::DbError;
use super::lock::Lock;
use super::write_transaction::{Snapshot, WriteTx};
use crate::database_address::ServerAddress;
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// One database. A file is owned by this process while it runs; a server is shared with others.
#[derive(Clone)]
pub(crate) struct Db(Arc<Parts>);

struct Parts {
    readers: Pool,
    writers: Writers,
    lock: Option<File>,
    shared: Option<Shared>,
}

/// A server that other processes use too.
struct Shared {
    server: ServerAddress,
    /// The unique name of this process among them.
    name: String,
}

impl Db {
    pub(super) fn of_file(readers: Pool, writers: Writers, lock: File) -> Self {
        Self(Arc::new(Parts {
            readers,
            writers,
            lock: Some(lock),
            shared: None,
        }))
    }

    pub(super) fn of_server(
        readers: Pool,
        writers: Writers,
        server: ServerAddress,
        name: String,
    ) -> Self {
        Self(Arc::new(Parts {
            readers,
            writers,
            lock: None,
            shared: Some(Shared { server, name }),
        }))
    }

    /// The server, and the unique name of this process; `None` for a file.
    pub(super) fn shared(&self) -> Option<(&ServerAddress, &str)> {
        let shared = self.0.shared.as_ref()?;
        Some((&shared.server, &shared.name))
    }

    /// True when a standby that takes over may lack commits; `false` for a file.
    pub(crate) async fn standbys_may_lack_commits(&self) -> Result<bool, DbError> {
        if !self.is_shared() {
            return Ok(false);
        }
        let mut reader = self.reader().await?;
        Ok(postgres::standbys_may_lack_commits(&mut reader).await?)
    }

    /// Begins a transaction that takes this lock, and whose commit is durable.
    pub(super) async fn write(&self, lock: Lock<'_>) -> Result<WriteTx, DbError> {
        self.0.writers.begin(lock).await
    }

    /// Begins a transaction whose commit may be lost when the power fails.
    pub(super) async fn write_async_commit(
        &self,
        lock: Lock<'_>,
    ) -> Result<AsyncCommitTx, DbError> {
        self.0.writers.begin_async_commit(lock).await
    }

    /// Turns a transaction that has written nothing into one whose commit does not wait for the disk. No
    /// other writer comes between.
    pub(super) async fn downgrade(&self, unwritten: WriteTx) -> Result<AsyncCommitTx, DbError> {
        self.0.writers.downgrade(unwritten).await
    }

    /// Sets the clock of this process by the clock of the database, if other processes share it: an
    /// instant that one process writes is compared with the clock of another. It has to run often,
    /// since the clock of a machine may run fast, be set, or stop while the machine sleeps.
    pub(crate) async fn follow_clock(&self) -> Result<(), DbError> {
        if self.engine() == Engine::Postgres {
            postgres::follow_clock(&mut self.reader().await?).await?;
        }
        Ok(())
    }

    pub(super) fn engine(&self) -> Engine {
        self.0.writers.engine()
    }

    /// A connection for one statement that reads.
    pub(super) async fn reader(&self) -> Result<Connection, DbError> {
        Ok(self.0.readers.acquire().await?)
    }

    /// A transaction for reading that sees one state throughout.
    pub(super) async fn read(&self) -> Result<Snapshot, DbError> {
        Snapshot::begin(&self.0.readers).await
    }

    /// The file that marks the database as taken; it is this program's own, and empty. A server
    /// has none.
    pub(super) fn lock_file(&self) -> Option<&File> {
        self.0.lock.as_ref()
    }

    /// Closes the database and releases its file; nothing can be stored afterwards.
    pub(crate) async fn close(&self) {
        self.0.readers.close().await;
        self.0.writers.close().await;
        // The system releases it anyway when the process ends.
        let _ = self.0.lock.as_ref().map(File::unlock);
    }

    /// How many commits waited for the disk.
    #[cfg(test)]
    pub(super) fn syncs(&self) -> u64 {
        self.0.writers.syncs()
    }
}

/// How long a writer waits for its turn.
const WRITE_QUEUE_TIMEOUT: Duration = Duration::from_secs(10);

/// The connections that write.
pub(super) struct Writers {
    connections: Connections,
    /// How many commits waited for the disk.
    syncs: Arc<AtomicU64>,
}

enum Connections {
    /// One connection whose commits wait for the disk, one whose commits do not, and one queue for both:
    /// SQLite has one writer, and its own lock has no queue.
    File {
        synced: Pool,
        async_commit: Pool,
        queue: Arc<Mutex<()>>,
    },
    /// Several connections that write at once. They wait for each other at locks of rows, and each
    /// transaction chooses whether its commit waits for the disk.
    Server(Pool),
}

impl Writers {
    pub(super) fn of_file(synced: Pool, async_commit: Pool) -> Self {
        Self {
            connections: Connections::File {
                synced,
                async_commit,
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

    pub(super) async fn begin(&self, lock: Lock<'_>) -> Result<WriteTx, DbError> {
        let (pool, turn) = match &self.connections {
            Connections::File { synced, queue, .. } => (synced, Some(turn(queue).await?)),
            Connections::Server(pool) => (pool, None),
        };
        let syncs = Arc::clone(&self.syncs);
        let mut tx = WriteTx::begin_in_turn(pool, turn, syncs).await?;
        lock.take(&mut tx).await?;
        Ok(tx)
    }

    pub(super) async fn begin_async_commit(
        &self,
        lock: Lock<'_>,
    ) -> Result<AsyncCommitTx, DbError> {
        match &self.connections {
            Connections::File {
                async_commit,
                queue,
                ..
            } => AsyncCommitTx::begin(async_commit, Some(turn(queue).await?)).await,
            Connections::Server(pool) => {
                let mut tx = WriteTx::begin(pool).await?;
                lock.take(&mut tx).await?;
                AsyncCommitTx::of_server(tx).await
            }
        }
    }

    /// See [`Db::downgrade`].
    pub(super) async fn downgrade(&self, unwritten: WriteTx) -> Result<AsyncCommitTx, DbError> {
        match &self.connections {
            Connections::File { async_commit, .. } => {
                let turn = unwritten.end().await?;
                AsyncCommitTx::begin(async_commit, turn).await
            }
            Connections::Server(_) => AsyncCommitTx::of_server(unwritten).await,
        }
    }

    pub(super) async fn close(&self) {
        match &self.connections {
            Connections::File {
                synced,
                async_commit,
                ..
            } => {
                synced.close().await;
                async_commit.close().await;
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
    tokio::time::timeout(WRITE_QUEUE_TIMEOUT, turn)
        .await
        .map_err(|_| DbError::Away("too many want to write".to_owned()))
}
