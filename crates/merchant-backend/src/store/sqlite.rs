//! The store in one SQLite file.

use super::{
    Attempt, Change, Ending, Reservation, Standing, Store, StoreError, Turn, idempotency_keys,
    operations, orders, schema,
};
use crate::clock::{Millis, now};
use crate::operation::{OperationKey, OperationRecord};
use crate::order::Order;
use async_trait::async_trait;
use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Sqlite as Database, SqlitePool, Transaction};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

/// Older versions can corrupt a write-ahead log.
const OLDEST_LIBRARY: [u32; 3] = [3, 51, 3];

/// The store in one SQLite file, which belongs to this process as long as it lives.
pub(crate) struct Sqlite {
    readers: SqlitePool,
    /// SQLite has one writer; queueing here is fairer than its own waiting.
    writer: SqlitePool,
    _lock: File,
}

/// Why the database cannot be used; says what to do.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file, or the one beside it that marks it as taken, cannot be opened.
    #[error(
        "DATABASE: {path} cannot be opened ({cause}); name a file in a directory that exists and may be written"
    )]
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        cause: String,
    },
    /// Another process has it.
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
    /// It does not keep what it is told.
    #[error(
        "DATABASE: {path} does not keep {wanted} (it answered {found}); use a local file system"
    )]
    Careless {
        /// The file.
        path: String,
        /// The setting.
        wanted: &'static str,
        /// What was read back.
        found: String,
    },
}

impl Sqlite {
    /// Opens the file, makes or updates its schema, and frees what a stopped process held.
    pub(crate) async fn open(path: &Path) -> Result<Self, DatabaseError> {
        let name = path.display().to_string();
        let unreadable = |cause: String| DatabaseError::Unreadable {
            path: name.clone(),
            cause,
        };
        let lock = lock(path, &name)?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(5));
        let pool = |size| {
            SqlitePoolOptions::new()
                .max_connections(size)
                .acquire_timeout(Duration::from_secs(10))
        };
        let writer = pool(1)
            .connect_with(options.clone())
            .await
            .map_err(|e| unreadable(e.to_string()))?;
        prove(&writer, &name).await?;
        schema::migrator()
            .run(&writer)
            .await
            .map_err(|error| match error {
                MigrateError::VersionMissing(_)
                | MigrateError::VersionTooNew(..)
                | MigrateError::VersionMismatch(_) => DatabaseError::Newer(name.clone()),
                other => DatabaseError::Schema(name.clone(), other.to_string()),
            })?;
        let readers = pool(4)
            .connect_with(options)
            .await
            .map_err(|e| unreadable(e.to_string()))?;
        let store = Self {
            readers,
            writer,
            _lock: lock,
        };
        let freed = store.free_all().await;
        freed.map_err(|error| DatabaseError::Schema(name.clone(), error.to_string()))?;
        Ok(store)
    }

    /// The file is ours alone, so whatever runs in it ran in a process that is gone.
    async fn free_all(&self) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        idempotency_keys::free_all(&mut transaction).await?;
        operations::doubt_abandoned(&mut transaction, Millis::MAX, now()).await?;
        Ok(transaction.commit().await?)
    }

    /// A transaction that holds the write lock from its start: one that reads first and
    /// writes later would fail instead of waiting.
    async fn write(&self) -> Result<Transaction<'static, Database>, StoreError> {
        Ok(self.writer.begin_with("BEGIN IMMEDIATE").await?)
    }
}

/// Takes the file for this process; the system gives it back when the process ends.
fn lock(path: &Path, name: &str) -> Result<File, DatabaseError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let unreadable = |cause: std::io::Error| DatabaseError::Unreadable {
        path: name.to_owned(),
        cause: cause.to_string(),
    };
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(beside)
        .map_err(unreadable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(DatabaseError::InUse(name.to_owned())),
        Err(TryLockError::Error(cause)) => Err(unreadable(cause)),
    }
}

/// Reads back what the promises to payers rest on.
async fn prove(pool: &SqlitePool, name: &str) -> Result<(), DatabaseError> {
    let read = async |sql: &'static str| {
        sqlx::query_scalar::<_, String>(sql)
            .fetch_one(pool)
            .await
            .map_err(|e| DatabaseError::Unreadable {
                path: name.to_owned(),
                cause: e.to_string(),
            })
    };
    let careless = |wanted, found: &str| DatabaseError::Careless {
        path: name.to_owned(),
        wanted,
        found: found.to_owned(),
    };
    let version = read("SELECT sqlite_version()").await?;
    let parts: Vec<u32> = version
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect();
    if parts < OLDEST_LIBRARY.to_vec() {
        return Err(careless("a SQLite library of at least 3.51.3", &version));
    }
    let mode = read("SELECT journal_mode FROM pragma_journal_mode").await?;
    if mode != "wal" {
        return Err(careless("journal_mode=WAL", &mode));
    }
    let synchronous = read("SELECT CAST(synchronous AS TEXT) FROM pragma_synchronous").await?;
    if synchronous != "2" {
        return Err(careless("synchronous=FULL", &synchronous));
    }
    Ok(())
}

#[async_trait]
impl Store for Sqlite {
    async fn ready(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1 FROM orders LIMIT 1")
            .execute(&self.readers)
            .await?;
        Ok(())
    }

    async fn add_order(&self, order: &Order) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        orders::add(&mut transaction, order).await?;
        Ok(transaction.commit().await?)
    }

    async fn order(&self, order_id: &str) -> Result<Option<Order>, StoreError> {
        orders::find(&mut *self.readers.acquire().await?, order_id).await
    }

    async fn operations_of(&self, order_id: &str) -> Result<Vec<OperationRecord>, StoreError> {
        operations::of_order(&mut *self.readers.acquire().await?, order_id).await
    }

    async fn operation(&self, key: &OperationKey) -> Result<Option<OperationRecord>, StoreError> {
        operations::find(&mut *self.readers.acquire().await?, key).await
    }

    async fn operation_by_callback(&self, hash: &str) -> Result<Option<OperationKey>, StoreError> {
        operations::by_callback(&mut *self.readers.acquire().await?, hash).await
    }

    async fn claim(
        &self,
        attempt: &Attempt,
        now: Millis,
        lease: Millis,
    ) -> Result<Standing, StoreError> {
        let mut transaction = self.write().await?;
        let standing = idempotency_keys::claim(&mut transaction, attempt, now, lease).await?;
        transaction.commit().await?;
        Ok(standing)
    }

    async fn end(&self, attempt: &Attempt, ending: Option<Ending>) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        idempotency_keys::end(&mut transaction, attempt, ending).await?;
        Ok(transaction.commit().await?)
    }

    async fn reserve(&self, record: &OperationRecord) -> Result<Reservation, StoreError> {
        let mut transaction = self.write().await?;
        let standing = operations::reserve(&mut transaction, record).await?;
        transaction.commit().await?;
        Ok(standing)
    }

    async fn change(
        &self,
        key: &OperationKey,
        change: Change,
        ended: Option<(&Attempt, Ending)>,
    ) -> Result<OperationRecord, StoreError> {
        let mut transaction = self.write().await?;
        let record = operations::change(&mut transaction, key, change).await?;
        orders::follow(&mut transaction, &record.order_id).await?;
        if let Some((attempt, ending)) = ended {
            idempotency_keys::end(&mut transaction, attempt, Some(ending)).await?;
        }
        transaction.commit().await?;
        Ok(record)
    }

    async fn take_turn(
        &self,
        key: &OperationKey,
        now: Millis,
        interval: Millis,
    ) -> Result<Turn, StoreError> {
        let mut transaction = self.write().await?;
        let turn = operations::take_turn(&mut transaction, key, now, interval).await?;
        transaction.commit().await?;
        Ok(turn)
    }

    async fn take_due(
        &self,
        now: Millis,
        lease: Millis,
        limit: u32,
    ) -> Result<Vec<OperationRecord>, StoreError> {
        let mut transaction = self.write().await?;
        let due = operations::take_due(&mut transaction, now, lease, limit).await?;
        transaction.commit().await?;
        Ok(due)
    }

    async fn next_due(&self) -> Result<Option<Millis>, StoreError> {
        operations::next_due(&mut *self.readers.acquire().await?).await
    }

    async fn doubt_abandoned(&self, sent_before: Millis, now: Millis) -> Result<u64, StoreError> {
        let mut transaction = self.write().await?;
        let count = operations::doubt_abandoned(&mut transaction, sent_before, now).await?;
        transaction.commit().await?;
        Ok(count)
    }
}
