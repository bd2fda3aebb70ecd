//! The database and the transactions on it.

use super::acknowledged_commits::Acknowledged;
use super::delayed_durability::Delayed;
use super::engine::Engine;
use super::engine::{Pool, PooledConnection, Snapshot};
use super::error::DbError;
use super::scope::Scope;
use super::write_queue::Writers;
use super::write_transaction::Writing;
use crate::database_address::ServerAddress;
use std::fs::File;
use std::sync::Arc;
use tokio::sync::Mutex;

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
    /// This process's name among them, which nobody else has.
    own_name: String,
    /// The last of its own commits that the server acknowledged.
    acknowledged: Mutex<Option<Acknowledged>>,
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
        own_name: String,
    ) -> Self {
        Self(Arc::new(Parts {
            readers,
            writers,
            lock: None,
            shared: Some(Shared {
                server,
                own_name,
                acknowledged: Mutex::default(),
            }),
        }))
    }

    /// The server, and this process's own name among those that use it; `None` for a file.
    pub(super) fn shared(&self) -> Option<(&ServerAddress, &str)> {
        let shared = self.0.shared.as_ref()?;
        Some((&shared.server, &shared.own_name))
    }

    /// This process's own name, and what it knows of its own commits; `None` for a file.
    pub(super) fn own_commits(&self) -> Option<(&str, &Mutex<Option<Acknowledged>>)> {
        let shared = self.0.shared.as_ref()?;
        Some((&shared.own_name, &shared.acknowledged))
    }

    /// Begins a transaction that rests on these rows, and whose commit is durable.
    pub(super) async fn write(&self, scope: Scope<'_>) -> Result<Writing, DbError> {
        self.0.writers.begin(scope).await
    }

    /// Begins a transaction whose commit may be lost when the power fails.
    pub(super) async fn write_delayed(&self, scope: Scope<'_>) -> Result<Delayed, DbError> {
        self.0.writers.begin_delayed(scope).await
    }

    /// Begins such a transaction right after one that has written nothing, before another writer.
    pub(super) async fn write_delayed_instead(
        &self,
        unwritten: Writing,
    ) -> Result<Delayed, DbError> {
        self.0.writers.instead(unwritten).await
    }

    pub(super) fn engine(&self) -> Engine {
        self.0.writers.engine()
    }

    /// A connection for one statement that reads.
    pub(super) async fn reader(&self) -> Result<PooledConnection, DbError> {
        Ok(self.0.readers.acquire().await?)
    }

    /// A transaction for reading that sees one state throughout.
    pub(super) async fn read(&self) -> Result<Snapshot, DbError> {
        let begin = self.engine().begin_to_read();
        Ok(self.0.readers.begin_with(begin).await?)
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
