//! Does the database take writes? Only a write can tell.

use super::DbError;
use crate::clock::Millis;
use sqlx::SqliteConnection;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// More than SQLite could write without asking the disk for room: its log is used again from the
/// start, so that a small write succeeds on a full disk.
static ROOM: [u8; 64 * 1024] = [b'.'; 64 * 1024];

/// Changes the one row that is there for it.
pub(super) async fn write(connection: &mut SqliteConnection, now: Millis) -> Result<(), DbError> {
    sqlx::query("UPDATE readiness SET written = written + 1, written_at = ?")
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Takes some room on the disk of this file, which is ours and else empty, and gives it back.
pub(super) async fn room(file: File) -> Result<(), DbError> {
    let taken = tokio::task::spawn_blocking(move || {
        let taken = file.write_all_at(&ROOM, 0).and_then(|()| file.sync_all());
        // Also what was written in part.
        taken.and(file.set_len(0))
    });
    let taken = taken.await.map_err(std::io::Error::other).flatten();
    taken.map_err(|error| DbError(format!("the disk has no room: {error}")))
}
