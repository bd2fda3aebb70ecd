//! Who of the staff is signed in.

use super::DbError;
use crate::clock::Millis;
use crate::domain::staff_session::{LONGEST_IDLE, LONGEST_SESSION};
use sqlx::{Row, SqliteConnection};

/// Whose a session is, and with which password it began: a fingerprint of its hash.
#[derive(Debug, Clone)]
pub(crate) struct Holder {
    pub(crate) name: String,
    pub(crate) password: String,
}

/// How old the note of the last use may be; not every request is worth a write.
const TOUCH: Millis = 60_000;

pub(super) struct Found {
    pub(super) hash: String,
    pub(super) holder: Holder,
    used_at: Millis,
}

impl Found {
    pub(super) fn is_to_be_touched(&self, now: Millis) -> bool {
        now.saturating_sub(self.used_at) > TOUCH
    }
}

pub(super) async fn begin(
    connection: &mut SqliteConnection,
    hash: &str,
    holder: &Holder,
    now: Millis,
) -> Result<(), DbError> {
    sqlx::query("DELETE FROM staff_sessions WHERE created_at < ? OR used_at < ?")
        .bind(now.saturating_sub(LONGEST_SESSION))
        .bind(now.saturating_sub(LONGEST_IDLE))
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO staff_sessions (hash, name, password, created_at, used_at)
         VALUES (?, ?, ?, ?, ?)",
    )
    .bind(hash)
    .bind(&holder.name)
    .bind(&holder.password)
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
) -> Result<Option<Found>, DbError> {
    let row = sqlx::query(
        "SELECT hash, name, password, used_at FROM staff_sessions
         WHERE hash IN (SELECT value FROM json_each(?)) AND created_at > ? AND used_at > ? LIMIT 1",
    )
    .bind(serde_json::to_string(hashes)?)
    .bind(now.saturating_sub(LONGEST_SESSION))
    .bind(now.saturating_sub(LONGEST_IDLE))
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        Ok(Found {
            hash: row.try_get("hash")?,
            holder: Holder {
                name: row.try_get("name")?,
                password: row.try_get("password")?,
            },
            used_at: row.try_get("used_at")?,
        })
    })
    .transpose()
}

pub(super) async fn touch(
    connection: &mut SqliteConnection,
    hash: &str,
    now: Millis,
) -> Result<(), DbError> {
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
) -> Result<Vec<String>, DbError> {
    let names = sqlx::query_scalar(
        "DELETE FROM staff_sessions WHERE hash IN (SELECT value FROM json_each(?)) RETURNING name",
    )
    .bind(serde_json::to_string(hashes)?)
    .fetch_all(connection)
    .await?;
    Ok(names)
}
