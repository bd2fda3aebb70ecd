//! The store in one SQLite file.

use super::database_file::{DatabaseError, SYNCED, UNSYNCED, lock, prove};
use super::due::{self, Due};
use super::operations::Changed;
use super::unsynced::{Unsynced, is_only_planned};
use super::writers::Writers;
use super::writing::Writing;
use super::{
    DbError, Reservation, Turn, abandoned, events, idempotency_keys, operation_row, operations,
    orders, readiness, refund_rows, refunds, schema,
};
use crate::clock::{Millis, Moment, now};
use crate::domain::authorization::AuthorizationAnswer;
use crate::domain::keyed_request::KeyedRequest;
use crate::domain::operation::{OperationKey, OperationRecord};
use crate::domain::order::Order;
use sqlx::migrate::MigrateError;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{SqlitePool, Transaction};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// One SQLite file, which belongs to this process as long as it lives.
#[derive(Clone)]
pub(crate) struct Db(Arc<Parts>);

struct Parts {
    readers: SqlitePool,
    writers: Writers,
    lock: File,
}

impl Db {
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
        let db = Self(Arc::new(Parts {
            readers,
            writers: Writers::new(writer, unsynced),
            lock,
        }));
        let freed = db.free_all().await;
        freed.map_err(|error| DatabaseError::Schema(name.clone(), error.to_string()))?;
        Ok(db)
    }

    /// The file is ours alone, so whatever runs in it ran in a process that is gone.
    async fn free_all(&self) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        idempotency_keys::free_all(&mut transaction).await?;
        operations::doubt_abandoned(&mut transaction, Millis::MAX, now()).await?;
        refunds::abandon(&mut transaction, Millis::MAX, Millis::MAX, now()).await?;
        for due in Due::ALL {
            due::spread(&mut transaction, due, now()).await?;
        }
        transaction.commit().await
    }

    pub(super) async fn write(&self) -> Result<Writing, DbError> {
        self.0.writers.begin().await
    }

    /// Begins to write what may be lost when the power fails.
    pub(super) async fn write_unsynced(&self) -> Result<Unsynced, DbError> {
        self.0.writers.begin_unsynced().await
    }

    /// How many commits waited for the disk.
    #[cfg(test)]
    pub(super) fn syncs(&self) -> u64 {
        self.0.writers.syncs()
    }

    /// Writes orders and operations that were never sold, at once.
    #[cfg(feature = "bench")]
    pub(crate) async fn fill(&self, rows: &[(Order, OperationRecord)]) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        for (order, record) in rows {
            orders::add(&mut transaction, order).await?;
            operation_row::write(&mut transaction, record).await?;
            orders::follow(&mut transaction, &order.order_id).await?;
        }
        transaction.commit().await
    }

    pub(super) async fn reader(&self) -> Result<PoolConnection<sqlx::Sqlite>, DbError> {
        Ok(self.0.readers.acquire().await?)
    }

    /// A transaction for reading: what it sees belongs together.
    pub(super) async fn read(&self) -> Result<Transaction<'static, sqlx::Sqlite>, DbError> {
        Ok(self.0.readers.begin().await?)
    }
}

impl Db {
    /// Gives the database back; nothing can be stored afterwards.
    pub(crate) async fn close(&self) {
        self.0.readers.close().await;
        self.0.writers.close().await;
        // The system would give it back anyway when the process ends.
        let _ = self.0.lock.unlock();
    }

    /// Fails when the database cannot be written to.
    pub(crate) async fn ready(&self) -> Result<(), DbError> {
        let beside = self.0.lock.try_clone().map_err(sqlx::Error::Io)?;
        readiness::room(beside).await?;
        let mut transaction = self.write().await?;
        readiness::write(&mut transaction, now()).await?;
        transaction.commit().await
    }

    pub(crate) async fn add_order(&self, order: &Order) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        orders::add(&mut transaction, order).await?;
        transaction.commit().await
    }

    pub(crate) async fn order(&self, order_id: &str) -> Result<Option<Order>, DbError> {
        orders::find(&mut *self.0.readers.acquire().await?, order_id).await
    }

    /// The operations of an order, oldest first.
    pub(crate) async fn operations_of(
        &self,
        order_id: &str,
    ) -> Result<Vec<OperationRecord>, DbError> {
        operations::of_order(&mut *self.0.readers.acquire().await?, order_id).await
    }

    pub(crate) async fn operation(
        &self,
        key: &OperationKey,
    ) -> Result<Option<OperationRecord>, DbError> {
        operations::find(&mut *self.0.readers.acquire().await?, key).await
    }

    /// The operation whose callback URL holds the token with this hash.
    pub(crate) async fn operation_by_callback(
        &self,
        hash: &str,
    ) -> Result<Option<OperationKey>, DbError> {
        operations::by_callback(&mut *self.0.readers.acquire().await?, hash).await
    }

    /// Removes some orders from before an instant that never had an operation, the oldest first;
    /// answers with how many.
    pub(crate) async fn remove_abandoned(
        &self,
        before: Millis,
        limit: u32,
    ) -> Result<u64, DbError> {
        let found = abandoned::find(&mut *self.0.readers.acquire().await?, before, limit).await?;
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

    /// Puts a new operation on disk as its order's only live one.
    pub(crate) async fn reserve(&self, record: &OperationRecord) -> Result<Reservation, DbError> {
        let mut transaction = self.write().await?;
        let standing = operations::reserve(&mut transaction, record).await?;
        transaction.commit().await?;
        Ok(standing)
    }

    /// Changes an operation, its order with it, ends an attempt, and writes the event that it
    /// is, all at once; answers with the operation as it is then.
    pub(crate) async fn change<R>(
        &self,
        key: &OperationKey,
        change: impl Fn(&mut OperationRecord) -> R + Send + Sync,
        ended: Option<(&KeyedRequest, AuthorizationAnswer)>,
    ) -> Result<(OperationRecord, R), DbError> {
        let mut transaction = self.write().await?;
        let changed = operations::changed(&mut transaction, key, change).await?;
        let Changed {
            before,
            record,
            result,
        } = changed;
        if ended.is_none() && is_only_planned(&before, &record) {
            let mut transaction = self.0.writers.instead(transaction).await?;
            transaction.plan(&record).await?;
            transaction.commit().await?;
            return Ok((record, result));
        }
        let was_paid = before.is_paid();
        operation_row::write(&mut transaction, &record).await?;
        let standing = orders::follow(&mut transaction, &record.order_id).await?;
        events::add_payment(&mut transaction, was_paid, &record, standing).await?;
        refund_rows::follow(&mut transaction, &record, was_paid).await?;
        if let Some((request, answer)) = ended {
            idempotency_keys::end(&mut transaction, request, Some(&answer)).await?;
        }
        transaction.commit().await?;
        Ok((record, result))
    }

    /// Takes the turn to ask the service about an operation, if the last one is long enough
    /// ago.
    pub(crate) async fn take_turn(
        &self,
        key: &OperationKey,
        now: Millis,
        interval: Millis,
    ) -> Result<Turn, DbError> {
        let mut transaction = self.write_unsynced().await?;
        let turn = transaction.take_turn(key, now, interval).await?;
        transaction.commit().await?;
        Ok(turn)
    }

    /// Takes operations that are due, so that nobody else does until the lease ends.
    pub(crate) async fn take_due(
        &self,
        at: Moment,
        lease: Millis,
        limit: u32,
    ) -> Result<Vec<OperationRecord>, DbError> {
        let mut transaction = self.write_unsynced().await?;
        let rows = transaction.take_due(Due::Operations, at, lease, limit);
        let rows = rows.await?;
        transaction.commit().await?;
        rows.iter().map(operation_row::read).collect()
    }

    /// When the next operation is due, by the wall clock.
    pub(crate) async fn next_due(&self, at: Moment) -> Result<Option<Millis>, DbError> {
        due::next(&mut *self.0.readers.acquire().await?, Due::Operations, at).await
    }

    /// Puts operations in doubt whose request left before an instant and was never answered:
    /// whoever sent it is gone. Answers with how many.
    pub(crate) async fn doubt_abandoned(
        &self,
        sent_before: Millis,
        now: Millis,
    ) -> Result<u64, DbError> {
        let mut transaction = self.write().await?;
        let count = operations::doubt_abandoned(&mut transaction, sent_before, now).await?;
        transaction.commit().await?;
        Ok(count)
    }
}
