//! `moved`: the mark in a file whose rows `copy` moves to a database of PostgreSQL. It is written
//! before they are there for good, so that no server ever runs on both.

use super::database_error::DatabaseError;
use super::engine::{Connection, Engine};
use super::error::DbError;

/// The new database that the mark names.
pub(super) async fn target(connection: &mut Connection) -> Result<Option<String>, DbError> {
    let target = sqlx::query_scalar("SELECT target FROM moved");
    Ok(target.fetch_optional(connection).await?)
}

pub(super) async fn mark(connection: &mut Connection, target: &str) -> Result<(), DbError> {
    let mark = sqlx::query(
        "INSERT INTO moved (one, target) VALUES (1, $1)
         ON CONFLICT (one) DO UPDATE SET target = excluded.target",
    );
    mark.bind(target).execute(connection).await?;
    Ok(())
}

pub(super) async fn unmark(connection: &mut Connection) -> Result<(), DbError> {
    let unmark = sqlx::query("DELETE FROM moved").execute(connection);
    unmark.await?;
    Ok(())
}

/// Refuses a file that is marked.
pub(super) async fn usable(connection: &mut Connection, name: &str) -> Result<(), DatabaseError> {
    if Engine::of(connection) == Engine::Postgres {
        return Ok(());
    }
    let target = target(connection).await;
    let target = target.map_err(|error| DatabaseError::Schema(name.to_owned(), error.to_string()));
    target?.map_or(Ok(()), |to| {
        let name = name.to_owned();
        Err(DatabaseError::Moved { name, to })
    })
}
