//! Who of the staff is signed in.

use super::StoreError;
use crate::clock::Millis;
use crate::staff::{ABSOLUTE_LIFE, IDLE_LIFE};
use sqlx::{Row, SqliteConnection};

/// How old the note of the last use may be; not every request is worth a write.
const TOUCH: Millis = 60_000;

pub(super) struct Found {
    pub(super) hash: String,
    pub(super) name: String,
    used_at: Millis,
}

impl Found {
    pub(super) fn is_to_be_touched(&self, now: Millis) -> bool {
        now - self.used_at > TOUCH
    }
}

pub(super) async fn begin(
    connection: &mut SqliteConnection,
    hash: &str,
    name: &str,
    now: Millis,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM staff_sessions WHERE created_at < ? OR used_at < ?")
        .bind(now - ABSOLUTE_LIFE)
        .bind(now - IDLE_LIFE)
        .execute(&mut *connection)
        .await?;
    sqlx::query("INSERT INTO staff_sessions (hash, name, created_at, used_at) VALUES (?, ?, ?, ?)")
        .bind(hash)
        .bind(name)
        .bind(now)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn find(
    connection: &mut SqliteConnection,
    hashes: &[String],
    now: Millis,
) -> Result<Option<Found>, StoreError> {
    let row = sqlx::query(
        "SELECT hash, name, used_at FROM staff_sessions
         WHERE hash IN (SELECT value FROM json_each(?)) AND created_at > ? AND used_at > ? LIMIT 1",
    )
    .bind(serde_json::to_string(hashes)?)
    .bind(now - ABSOLUTE_LIFE)
    .bind(now - IDLE_LIFE)
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        Ok(Found {
            hash: row.try_get("hash")?,
            name: row.try_get("name")?,
            used_at: row.try_get("used_at")?,
        })
    })
    .transpose()
}

pub(super) async fn touch(
    connection: &mut SqliteConnection,
    hash: &str,
    now: Millis,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE staff_sessions SET used_at = ? WHERE hash = ?")
        .bind(now)
        .bind(hash)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn end(
    connection: &mut SqliteConnection,
    hashes: &[String],
) -> Result<Vec<String>, StoreError> {
    let names = sqlx::query_scalar(
        "DELETE FROM staff_sessions WHERE hash IN (SELECT value FROM json_each(?)) RETURNING name",
    )
    .bind(serde_json::to_string(hashes)?)
    .fetch_all(connection)
    .await?;
    Ok(names)
}
