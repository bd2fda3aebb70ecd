//! Opening the database at the start of a server.

use super::change_ledgers;
use super::connections::Db;
use super::database_file::{DatabaseError, lock};
use super::due::{self, Due};
use super::engine::{Commits, connect, prove};
use super::error::DbError;
use super::write_queue::Writers;
use super::{idempotency_keys, operations, schema};
use crate::clock::now;
use payment_model::Timestamp;
use sqlx::migrate::MigrateError;
use std::path::Path;

impl Db {
    /// Opens the file, makes or updates its schema, and ends what a stopped process left running.
    pub(crate) async fn open(path: &Path) -> Result<Self, DatabaseError> {
        let name = path.display().to_string();
        let unreadable = |cause: sqlx::Error| DatabaseError::Unreadable {
            path: name.clone(),
            cause: cause.to_string(),
        };
        let lock = lock(path, &name)?;
        let synced = connect(path, Commits::Synced, 1)
            .await
            .map_err(unreadable)?;
        prove(&synced, &name, Commits::Synced).await?;
        schema::migrator()
            .run(&synced)
            .await
            .map_err(|error| match error {
                MigrateError::VersionMissing(_) | MigrateError::VersionTooNew(..) => {
                    DatabaseError::Newer(name.clone())
                }
                other => DatabaseError::Schema(name.clone(), other.to_string()),
            })?;
        let delayed = connect(path, Commits::Delayed, 1)
            .await
            .map_err(unreadable)?;
        prove(&delayed, &name, Commits::Delayed).await?;
        let readers = connect(path, Commits::Synced, 4)
            .await
            .map_err(unreadable)?;
        let db = Self::new(readers, Writers::new(synced, delayed), lock);
        let freed = free_all(&db).await;
        freed.map_err(|error| DatabaseError::Schema(name.clone(), error.to_string()))?;
        Ok(db)
    }
}

/// Only this process has the file, so every running request in it belonged to a process that is
/// gone.
async fn free_all(db: &Db) -> Result<(), DbError> {
    let mut transaction = db.write().await?;
    idempotency_keys::free_all(&mut transaction).await?;
    operations::doubt_abandoned(&mut transaction, Timestamp::MAX, now()).await?;
    change_ledgers::abandon(&mut transaction, Timestamp::MAX, Timestamp::MAX, now()).await?;
    for due in Due::ALL {
        due::spread(&mut transaction, due, now()).await?;
    }
    transaction.commit().await
}
