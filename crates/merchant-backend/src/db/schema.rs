//! The schema. `sqlx::migrate!` compiles the migrations in, and compares each one that a database
//! has with its text here.

use super::engine::{Connection, Engine};
use sqlx::migrate::Migrator;
use std::cmp::Ordering;

/// The migrator's own table of the migrations that ran.
const MIGRATIONS_TABLE: &str = "_sqlx_migrations";

/// The schema that a database has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schema {
    /// There is no table at all.
    Missing,
    /// The tables are of another program.
    Foreign,
    Older,
    Newest,
    /// A later version of this program made it.
    Newer,
}

pub(super) fn migrations(engine: Engine) -> Migrator {
    match engine {
        Engine::Sqlite => sqlx::migrate!("migrations/sqlite"),
        Engine::Postgres => sqlx::migrate!("migrations/postgres"),
    }
}

pub(super) async fn look(connection: &mut Connection) -> Result<Schema, sqlx::Error> {
    let engine = Engine::of(connection);
    let tables = sqlx::query_scalar::<_, String>(engine.tables());
    let tables = tables.fetch_all(&mut *connection).await?;
    if tables.is_empty() {
        return Ok(Schema::Missing);
    }
    if !tables.iter().any(|table| table == MIGRATIONS_TABLE) {
        return Ok(Schema::Foreign);
    }
    let found = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success");
    let found: Option<i64> = found.fetch_one(connection).await?;
    let newest = migrations(engine).iter().map(|one| one.version).max();
    Ok(match found.cmp(&newest) {
        Ordering::Less => Schema::Older,
        Ordering::Equal => Schema::Newest,
        Ordering::Greater => Schema::Newer,
    })
}

#[cfg(test)]
mod tests;
