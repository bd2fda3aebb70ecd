//! The one row of `readiness`: only a write proves that the database takes writes.

use super::connections::Db;
use super::error::DbError;
use super::scope::Scope;
use crate::clock::now;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// More than SQLite can write without new space: it reuses its log, so a small write succeeds even
/// on a full disk.
static ROOM: [u8; 64 * 1024] = [b'.'; 64 * 1024];

impl Db {
    /// Writes to the database, and fails when that is not possible.
    pub(crate) async fn ready(&self) -> Result<(), DbError> {
        if let Some(file) = self.lock_file() {
            take_room(file.try_clone().map_err(sqlx::Error::Io)?).await?;
        }
        let mut transaction = self.write(Scope::Rows).await?;
        sqlx::query("UPDATE readiness SET written = written + 1, written_at = $1")
            .bind(now().as_millis())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await
    }
}

/// Takes some space on the disk with this file, which is our own and otherwise empty, and frees it.
async fn take_room(file: File) -> Result<(), DbError> {
    let taken = tokio::task::spawn_blocking(move || {
        let taken = file.write_all_at(&ROOM, 0).and_then(|()| file.sync_all());
        // Also after a partial write.
        taken.and(file.set_len(0))
    });
    let taken = taken.await.map_err(std::io::Error::other).flatten();
    taken.map_err(|error| DbError::Away(format!("the disk has no room: {error}")))
}
