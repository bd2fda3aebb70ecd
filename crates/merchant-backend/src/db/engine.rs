//! Everything specific to SQLite: types, settings, and a few pieces of SQL outside the standard.
//! Each piece names its replacement for another engine. SQLite's migrations are in
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
/// A read-only transaction: SQLite shows it one state until it ends. Another engine needs
/// `REPEATABLE READ` for that.
pub(super) type Snapshot = sqlx::Transaction<'static, Sqlite>;
pub(super) type Row = sqlx::sqlite::SqliteRow;
/// A statement built at run time, which numbers its parameters itself.
pub(super) type Statement = QueryBuilder<Sqlite>;

/// Begins a transaction that holds the one write lock from its start. An engine that locks rows
/// needs its own way to let one transaction after the other read and then write an operation.
pub(super) const BEGIN_TO_WRITE: &str = "BEGIN IMMEDIATE";

/// A number of each row that grows with every new row: here SQLite's own. Another engine needs a
/// counting column with this name.
pub(super) const ROW_ID: &str = "rowid";

/// The orders that were paid twice, with their operations: starts with the few orders. Left alone,
/// SQLite would start with the many operations. Elsewhere an ordinary join.
pub(super) const PAID_TWICE_FIRST: &str =
    "orders r INDEXED BY orders_paid_twice CROSS JOIN operations o ON o.order_id = r.order_id";
/// The same join, starting with the few operations.
pub(super) const OPERATIONS_FIRST: &str =
    "operations o CROSS JOIN orders r ON o.order_id = r.order_id";

/// A column for which SQLite must not choose an index. Elsewhere the column itself.
pub(super) fn unindexed(column: &str) -> String {
    format!("+{column}")
}

/// The sum of amounts, 0 of none, which never overflows: some amounts stand for "everything".
/// Elsewhere `coalesce(sum(…), 0)`, if its sums are wider than the amounts.
pub(super) fn total(column: &str) -> String {
    format!("total({column})")
}

/// The texts of a list bound as one parameter; see [`list`]. Elsewhere an array.
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

/// Adds a list of texts or numbers to such a statement.
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
    /// No commit waits; the file stays whole in any case.
    Delayed,
}

impl Commits {
    fn setting(self) -> SqliteSynchronous {
        match self {
            Self::Synced => SqliteSynchronous::Full,
            Self::Delayed => SqliteSynchronous::Normal,
        }
    }

    /// The setting as SQLite reports it, and its name.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Synced => ("2", "synchronous=FULL"),
            Self::Delayed => ("1", "synchronous=NORMAL"),
        }
    }
}

/// Opens the connections of a server to its file.
pub(super) async fn connect(path: &Path, commits: Commits, size: u32) -> Result<Pool, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(commits.setting())
        .foreign_keys(true)
        // A page must keep nothing that a purge removed.
        .pragma("secure_delete", "ON")
        .busy_timeout(Duration::from_secs(5));
    SqlitePoolOptions::new()
        .max_connections(size)
        .acquire_timeout(Duration::from_secs(10))
        // Closing a reader of a local file gains nothing. With either limit the pool runs a task
        // for its idle connections that counts them without a lock: with a count below zero it
        // spins for ever.
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
        // SQLite overwrites the removed data.
        .pragma("secure_delete", "ON");
    let pool = SqlitePoolOptions::new().max_connections(1);
    pool.connect_with(options).await
}

/// Moves the write-ahead log into the file and empties it; `false` while a reader holds an old
/// state. Elsewhere the server manages its log.
pub(super) async fn empty_log(pool: &Pool) -> Result<bool, DbError> {
    let row: (i64, i64, i64) = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)")
        .fetch_one(pool)
        .await?;
    Ok(row.0 == 0)
}

/// Reads back the settings on which the promises to payers depend.
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
