//! The store in one SQLite file.

use super::due::{self, Due};
use super::file::{DatabaseError, SYNCED, UNSYNCED, lock, prove};
use super::unsynced::{Unsynced, is_only_planned};
use super::writers::Writers;
use super::writing::Writing;
use super::{
    Attempt, Change, Ending, Reservation, Standing, Store, StoreError, Turn, abandoned,
    idempotency_keys, operation_row, operations, orders, outbox, readiness, refund_rows, refunds,
    schema, staff_requests,
};
use crate::clock::{Millis, Moment, now};
use crate::operation::{OperationKey, OperationRecord};
use crate::order::Order;
use async_trait::async_trait;
use sqlx::migrate::MigrateError;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{SqlitePool, Transaction};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// The store in one SQLite file, which belongs to this process as long as it lives.
pub(crate) struct Sqlite {
    readers: SqlitePool,
    writers: Writers,
    lock: File,
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
            // What a purge removes must not stand in a page that was left earlier.
            .pragma("secure_delete", "ON")
            .busy_timeout(Duration::from_secs(5));
        let pool = |size| {
            SqlitePoolOptions::new()
                .max_connections(size)
                .acquire_timeout(Duration::from_secs(10))
                // Nothing is gained by closing what reads a local file. With either limit the pool
                // looks after its idle connections in a task that counts them without a lock: a
                // count that is caught below zero has it spin for ever.
                .idle_timeout(None)
                .max_lifetime(None)
        };
        let writer = pool(1)
            .connect_with(options.clone())
            .await
            .map_err(|e| unreadable(e.to_string()))?;
        prove(&writer, &name, SYNCED).await?;
        schema::migrator()
            .run(&writer)
            .await
            .map_err(|error| match error {
                MigrateError::VersionMissing(_) | MigrateError::VersionTooNew(..) => {
                    DatabaseError::Newer(name.clone())
                }
                other => DatabaseError::Schema(name.clone(), other.to_string()),
            })?;
        let unsynced = pool(1)
            .connect_with(options.clone().synchronous(SqliteSynchronous::Normal))
            .await
            .map_err(|e| unreadable(e.to_string()))?;
        prove(&unsynced, &name, UNSYNCED).await?;
        let readers = pool(4)
            .connect_with(options)
            .await
            .map_err(|e| unreadable(e.to_string()))?;
        let store = Self {
            readers,
            writers: Writers::new(writer, unsynced),
            lock,
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
        staff_requests::free_all(&mut transaction).await?;
        refunds::abandon(&mut transaction, Millis::MAX, Millis::MAX, now()).await?;
        for due in Due::ALL {
            due::spread(&mut transaction, due, now()).await?;
        }
        transaction.commit().await
    }

    pub(super) async fn write(&self) -> Result<Writing, StoreError> {
        self.writers.begin().await
    }

    /// Begins to write what may be lost when the power fails.
    pub(super) async fn write_unsynced(&self) -> Result<Unsynced, StoreError> {
        self.writers.begin_unsynced().await
    }

    /// How many commits waited for the disk.
    #[cfg(test)]
    pub(super) fn syncs(&self) -> u64 {
        self.writers.syncs()
    }

    /// Writes orders and operations that were never sold, at once.
    #[cfg(feature = "bench")]
    pub(crate) async fn fill(&self, rows: &[(Order, OperationRecord)]) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        for (order, record) in rows {
            orders::add(&mut transaction, order).await?;
            operation_row::write(&mut transaction, record).await?;
            orders::follow(&mut transaction, &order.order_id).await?;
        }
        transaction.commit().await
    }

    pub(super) async fn reader(&self) -> Result<PoolConnection<sqlx::Sqlite>, StoreError> {
        Ok(self.readers.acquire().await?)
    }

    /// A transaction for reading: what it sees belongs together.
    pub(super) async fn read(&self) -> Result<Transaction<'static, sqlx::Sqlite>, StoreError> {
        Ok(self.readers.begin().await?)
    }
}

#[async_trait]
impl Store for Sqlite {
    async fn close(&self) {
        self.readers.close().await;
        self.writers.close().await;
        // The system would give it back anyway when the process ends.
        let _ = self.lock.unlock();
    }

    async fn ready(&self) -> Result<(), StoreError> {
        let beside = self.lock.try_clone().map_err(sqlx::Error::Io)?;
        readiness::room(beside).await?;
        let mut transaction = self.write().await?;
        readiness::write(&mut transaction, now()).await?;
        transaction.commit().await
    }

    async fn add_order(&self, order: &Order) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        orders::add(&mut transaction, order).await?;
        transaction.commit().await
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

    async fn standing(&self, attempt: &Attempt, at: Moment) -> Result<Standing, StoreError> {
        let mut reader = self.readers.acquire().await?;
        idempotency_keys::find(&mut reader, attempt, at).await
    }

    async fn remove_abandoned(&self, before: Millis, limit: u32) -> Result<u64, StoreError> {
        let found = abandoned::find(&mut *self.readers.acquire().await?, before, limit).await?;
        if found.is_empty() {
            return Ok(0);
        }
        let mut transaction = self.write().await?;
        // Looked for anew: somebody may have begun to pay one of them meanwhile.
        let found = abandoned::find(&mut transaction, before, limit).await?;
        let removed = abandoned::remove(&mut transaction, &found).await?;
        transaction.commit().await?;
        Ok(removed)
    }

    async fn claim(
        &self,
        attempt: &Attempt,
        at: Moment,
        lease: Millis,
    ) -> Result<Standing, StoreError> {
        let mut transaction = self.write().await?;
        let standing = idempotency_keys::claim(&mut transaction, attempt, at, lease).await?;
        transaction.commit().await?;
        Ok(standing)
    }

    async fn end(&self, attempt: &Attempt, ending: Option<Ending>) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        idempotency_keys::end(&mut transaction, attempt, ending).await?;
        transaction.commit().await
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
        let (before, record) = operations::changed(&mut transaction, key, change).await?;
        if ended.is_none() && is_only_planned(&before, &record) {
            let mut transaction = self.writers.instead(transaction).await?;
            transaction.plan(&record).await?;
            transaction.commit().await?;
            return Ok(record);
        }
        let was_paid = before.is_paid();
        operation_row::write(&mut transaction, &record).await?;
        let standing = orders::follow(&mut transaction, &record.order_id).await?;
        outbox::add_payment(&mut transaction, was_paid, &record, standing).await?;
        refund_rows::follow(&mut transaction, &record, was_paid).await?;
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
        let mut transaction = self.write_unsynced().await?;
        let turn = transaction.take_turn(key, now, interval).await?;
        transaction.commit().await?;
        Ok(turn)
    }

    async fn take_due(
        &self,
        at: Moment,
        lease: Millis,
        limit: u32,
    ) -> Result<Vec<OperationRecord>, StoreError> {
        let mut transaction = self.write_unsynced().await?;
        let rows = transaction.take_due(Due::Operations, at, lease, limit);
        let rows = rows.await?;
        transaction.commit().await?;
        rows.iter().map(operation_row::read).collect()
    }

    async fn next_due(&self, at: Moment) -> Result<Option<Millis>, StoreError> {
        due::next(&mut *self.readers.acquire().await?, Due::Operations, at).await
    }

    async fn doubt_abandoned(&self, sent_before: Millis, now: Millis) -> Result<u64, StoreError> {
        let mut transaction = self.write().await?;
        let count = operations::doubt_abandoned(&mut transaction, sent_before, now).await?;
        transaction.commit().await?;
        Ok(count)
    }
}
