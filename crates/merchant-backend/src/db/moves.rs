//! `moves`: the one row about a move of everything between two databases.
//!
//! ```text
//! old database    (no row)  leaving            left
//! new database              arriving                  arrived
//! a server starts on  old   old     old  old   none   new
//! ```

use super::database_error::DatabaseError;
use super::engine::{Connection, Row};
use super::error::DbError;
use crate::clock::now;
use sqlx::Row as _;

/// The part of a database in a move, and how far the move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The old one, from which everything is being copied. A server may still use it.
    Leaving,
    /// The old one, which another one replaced.
    Left,
    /// The new one, which is not complete, or whose old one has not left.
    Arriving,
    /// The new one.
    Arrived,
}

impl Stage {
    const ALL: [Self; 4] = [Self::Leaving, Self::Left, Self::Arriving, Self::Arrived];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Leaving => "leaving",
            Self::Left => "left",
            Self::Arriving => "arriving",
            Self::Arrived => "arrived",
        }
    }
}

/// A move, as one of its databases knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Move {
    /// The same in both databases.
    pub(super) id: String,
    pub(super) stage: Stage,
    /// The other database, without a user or a password.
    pub(super) other: String,
    /// Of all rows, when they are copied.
    pub(super) digest: Option<String>,
}

/// The move that this database knows of.
pub(super) async fn find(connection: &mut Connection) -> Result<Option<Move>, DbError> {
    let row = sqlx::query("SELECT move_id, stage, other, digest FROM moves");
    let row = row.fetch_optional(connection).await?;
    row.as_ref().map(read).transpose()
}

/// Writes the move in the place of what was known before.
pub(super) async fn write(connection: &mut Connection, known: &Move) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO moves (one, move_id, stage, other, digest, changed_at)
         VALUES (1, $1, $2, $3, $4, $5)
         ON CONFLICT (one) DO UPDATE SET move_id = excluded.move_id, stage = excluded.stage,
             other = excluded.other, digest = excluded.digest, changed_at = excluded.changed_at",
    )
    .bind(&known.id)
    .bind(known.stage.as_str())
    .bind(&known.other)
    .bind(known.digest.as_deref())
    .bind(now().as_millis())
    .execute(connection)
    .await?;
    Ok(())
}

/// Refuses a database of which another one took the place, or may still have it.
pub(super) async fn usable(connection: &mut Connection, name: &str) -> Result<(), DatabaseError> {
    let found = find(connection).await;
    let found = found.map_err(|error| DatabaseError::Schema(name.to_owned(), error.to_string()))?;
    let name = name.to_owned();
    match found {
        Some(Move {
            stage: Stage::Left,
            other: to,
            ..
        }) => Err(DatabaseError::Moved { name, to }),
        Some(Move {
            stage: Stage::Arriving,
            other: from,
            ..
        }) => Err(DatabaseError::Unfinished { name, from }),
        _ => Ok(()),
    }
}

fn read(row: &Row) -> Result<Move, DbError> {
    let stage: &str = row.try_get("stage")?;
    let stage = Stage::ALL.into_iter().find(|one| one.as_str() == stage);
    Ok(Move {
        id: row.try_get("move_id")?,
        stage: stage.ok_or_else(|| DbError::missing("the stage of a move"))?,
        other: row.try_get("other")?,
        digest: row.try_get("digest")?,
    })
}
