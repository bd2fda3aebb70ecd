//! All that is peculiar to SQLite: types, settings, and the few pieces of SQL that no standard
//! has. Each piece says what another engine needs in its place; its migrations are in
//! `migrations/sqlite`.
//!
//! Every other statement of this floor is standard SQL: numbered parameters (`$1`), `ON CONFLICT`
//! with its columns, `IS NOT DISTINCT FROM`, and instants, amounts and flags as integers of 64 bits,
//! JSON as text.

use super::database_file::DatabaseError;
use super::error::DbError;
use serde::Serialize;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{QueryBuilder, Sqlite};
use std::path::Path;
use std::time::Duration;

pub(super) type Connection = sqlx::SqliteConnection;
pub(super) type Pool = sqlx::SqlitePool;
pub(super) type PooledConnection = sqlx::pool::PoolConnection<Sqlite>;
/// A transaction that only reads: SQLite shows it the state at its first read until it ends.
/// Another engine has to be told so (`REPEATABLE READ`).
pub(super) type Snapshot = sqlx::Transaction<'static, Sqlite>;
pub(super) type Row = sqlx::sqlite::SqliteRow;
/// A statement that is put together; it numbers its parameters itself.
pub(super) type Statement = QueryBuilder<Sqlite>;

/// Begins a transaction that holds the one write lock from its start. An engine that locks rows
/// needs its own way to let one transaction after the other read and then write an operation.
pub(super) const BEGIN_TO_WRITE: &str = "BEGIN IMMEDIATE";

/// A number that every row of a table has, greater than those of the rows before it: here SQLite's
/// own. Another engine needs a column with this name that counts.
pub(super) const ROW_ID: &str = "rowid";

/// The orders that were paid twice with their operations: the few orders first. Without being
/// told, SQLite would look at the many operations first. Elsewhere an ordinary join.
pub(super) const PAID_TWICE_FIRST: &str =
    "orders r INDEXED BY orders_paid_twice CROSS JOIN operations o ON o.order_id = r.order_id";
/// The same with the few operations first.
pub(super) const OPERATIONS_FIRST: &str =
    "operations o CROSS JOIN orders r ON o.order_id = r.order_id";

/// A column by which no index is to be chosen. Elsewhere the column itself.
pub(super) fn unindexed(column: &str) -> String {
    format!("+{column}")
}

/// The sum of amounts, 0 of none, which never overflows: some stand for "everything". Elsewhere
/// `coalesce(sum(…), 0)`, where such sums are wider than what is summed.
pub(super) fn total(column: &str) -> String {
    format!("total({column})")
}

/// The texts of a list that is bound as one parameter; see [`list`]. Elsewhere an array.
pub(super) fn texts(parameter: u8) -> String {
    format!("(SELECT value FROM json_each(${parameter}))")
}

/// The numbers of such a list. Elsewhere an array of numbers.
pub(super) fn numbers(parameter: u8) -> String {
    format!("(SELECT value FROM json_each(${parameter}))")
}

/// A list as one parameter, for [`texts`] and [`numbers`].
pub(super) fn list<T: Serialize>(values: &[T]) -> Result<String, DbError> {
    Ok(serde_json::to_string(values)?)
}

/// Adds a list of texts or numbers to a statement that is put together.
pub(super) fn push_list<T: Serialize>(sql: &mut Statement, values: &[T]) -> Result<(), DbError> {
    sql.push("(SELECT value FROM json_each(");
    sql.push_bind(list(values)?).push("))");
    Ok(())
}

/// Older versions can corrupt a write-ahead log.
const OLDEST_LIBRARY: [u32; 3] = [3, 51, 3];

/// How a connection commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commits {
    /// Every commit waits for the disk.
    Synced,
    /// None does; the file stays whole all the same.
    Unsynced,
}

impl Commits {
    fn setting(self) -> SqliteSynchronous {
        match self {
            Self::Synced => SqliteSynchronous::Full,
            Self::Unsynced => SqliteSynchronous::Normal,
        }
    }

    /// The setting as SQLite answers it, and as it is called.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Synced => ("2", "synchronous=FULL"),
            Self::Unsynced => ("1", "synchronous=NORMAL"),
        }
    }
}

/// So many connections of a server to its file.
pub(super) async fn connect(path: &Path, commits: Commits, size: u32) -> Result<Pool, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(commits.setting())
        .foreign_keys(true)
        // Nothing that a purge removes may stand in a page that was left earlier.
        .pragma("secure_delete", "ON")
        .busy_timeout(Duration::from_secs(5));
    SqlitePoolOptions::new()
        .max_connections(size)
        .acquire_timeout(Duration::from_secs(10))
        // Nothing is gained by closing what reads a local file. With either limit the pool
        // looks after its idle connections in a task that counts them without a lock: a
        // count that is caught below zero has it spin for ever.
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(options)
        .await
}

/// One connection to the file of a server that may be running.
pub(super) async fn connect_beside(path: &Path) -> Result<Pool, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(30))
        // All that is removed is overwritten.
        .pragma("secure_delete", "ON");
    let pool = SqlitePoolOptions::new().max_connections(1);
    pool.connect_with(options).await
}

/// Moves the write-ahead log into the file and empties it; `false` when somebody reads an old
/// state all the while. Elsewhere the server looks after its log.
pub(super) async fn empty_log(pool: &Pool) -> Result<bool, DbError> {
    let row: (i64, i64, i64) = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)")
        .fetch_one(pool)
        .await?;
    Ok(row.0 == 0)
}

/// Reads back what the promises to payers rest on.
pub(super) async fn prove(pool: &Pool, name: &str, commits: Commits) -> Result<(), DatabaseError> {
    let read = async |sql: &'static str| {
        sqlx::query_scalar::<_, String>(sql)
            .fetch_one(pool)
            .await
            .map_err(|e| DatabaseError::Unreadable {
                path: name.to_owned(),
                cause: e.to_string(),
            })
    };
    let careless = |wanted, found: &str| DatabaseError::Careless {
        path: name.to_owned(),
        wanted,
        found: found.to_owned(),
    };
    let version = read("SELECT sqlite_version()").await?;
    let parts: Vec<u32> = version
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect();
    if parts < OLDEST_LIBRARY.to_vec() {
        return Err(careless("a SQLite library of at least 3.51.3", &version));
    }
    let mode = read("SELECT journal_mode FROM pragma_journal_mode").await?;
    if mode != "wal" {
        return Err(careless("journal_mode=WAL", &mode));
    }
    let (number, setting) = commits.words();
    let synchronous = read("SELECT CAST(synchronous AS TEXT) FROM pragma_synchronous").await?;
    if synchronous != number {
        return Err(careless(setting, &synchronous));
    }
    Ok(())
}
