//! The one row of `readiness`: only a write tells that the database takes writes.

use super::connections::Db;
use super::error::DbError;
use crate::clock::now;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// More than SQLite could write without asking the disk for room: its log is used again from the
/// start, so that a small write succeeds on a full disk.
static ROOM: [u8; 64 * 1024] = [b'.'; 64 * 1024];

impl Db {
    /// Fails when the database cannot be written to.
    pub(crate) async fn ready(&self) -> Result<(), DbError> {
        let file = self.lock_file().try_clone().map_err(sqlx::Error::Io)?;
        take_room(file).await?;
        let mut transaction = self.write().await?;
        sqlx::query("UPDATE readiness SET written = written + 1, written_at = $1")
            .bind(now().as_millis())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await
    }
}

/// Takes some room on the disk of this file, which is ours and else empty, and gives it back.
async fn take_room(file: File) -> Result<(), DbError> {
    let taken = tokio::task::spawn_blocking(move || {
        let taken = file.write_all_at(&ROOM, 0).and_then(|()| file.sync_all());
        // Also what was written in part.
        taken.and(file.set_len(0))
    });
    let taken = taken.await.map_err(std::io::Error::other).flatten();
    taken.map_err(|error| DbError(format!("the disk has no room: {error}")))
}
