//! SQLite: one file of one process.

use super::{Commits, Pool};
use crate::db::error::DatabaseError;
use crate::db::error::DbError;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, install_default_drivers};
use sqlx::{AnyConnection, Connection};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// Older versions can corrupt a write-ahead log.
const OLDEST_LIBRARY: [u32; 3] = [3, 51, 3];

/// How long a caller waits for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

impl Commits {
    /// The setting, and how SQLite reports it.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Synced => ("synchronous=FULL", "2"),
            Self::Async => ("synchronous=NORMAL", "1"),
        }
    }
}

/// Opens the connections of a server to its file, which exists.
pub(in crate::db) async fn connect(
    path: &Path,
    commits: Commits,
    size: u32,
) -> Result<Pool, sqlx::Error> {
    let (synchronous, _) = commits.words();
    // SQLite overwrites what a purge removed, so that no page keeps removed data.
    let settings = format!(
        "PRAGMA busy_timeout=5000; PRAGMA journal_mode=WAL; PRAGMA {synchronous};
         PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON"
    );
    let options = AnyPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(ACQUIRE_TIMEOUT);
    pool(path, settings, options).await
}

/// One connection to the file of a server that may be running.
pub(in crate::db) async fn connect_admin(path: &Path) -> Result<Pool, sqlx::Error> {
    let settings = "PRAGMA busy_timeout=30000; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;
        PRAGMA secure_delete=ON"
        .to_owned();
    pool(path, settings, AnyPoolOptions::new().max_connections(1)).await
}

/// Connections that each begin with these settings.
async fn pool(path: &Path, settings: String, options: AnyPoolOptions) -> Result<Pool, sqlx::Error> {
    let address = address(path)?;
    // A pool would repeat what fails for good until its time is up, and then name the time as the cause.
    let mut first = AnyConnection::connect_with(&address).await?;
    sqlx::raw_sql(sqlx::AssertSqlSafe(settings.clone()))
        .execute(&mut first)
        .await?;
    first.close().await?;
    let options = options.after_connect(move |connection, _| {
        let settings = sqlx::AssertSqlSafe(settings.clone());
        Box::pin(async move {
            let done = sqlx::raw_sql(settings).execute(connection);
            done.await.map(drop)
        })
    });
    Pool::connect(options, address).await
}

/// The `Any` driver takes an address instead of a path.
fn address(path: &Path) -> Result<AnyConnectOptions, sqlx::Error> {
    install_default_drivers();
    // An address drops `..` without following links, so that the path is made canonical first.
    let path = path.canonicalize().map_err(sqlx::Error::Io)?;
    let address = url::Url::from_file_path(&path).map_err(|()| {
        let text = "no path that can be opened";
        sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::InvalidInput, text))
    })?;
    AnyConnectOptions::from_str(&format!("sqlite://{}?mode=rw", address.path()))
}

/// Moves the write-ahead log into the file and truncates it; `false` while a reader needs an old
/// snapshot.
pub(in crate::db) async fn empty_log(pool: &Pool) -> Result<bool, DbError> {
    let row: (i64, i64, i64) = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)")
        .fetch_one(&mut pool.acquire().await?)
        .await?;
    Ok(row.0 == 0)
}

/// Reads back the settings without which commits could be lost.
pub(in crate::db) async fn prove(
    pool: &Pool,
    name: &str,
    commits: Commits,
) -> Result<(), DatabaseError> {
    let unreadable = |error: sqlx::Error| DatabaseError::Unreadable {
        path: name.to_owned(),
        cause: error.to_string(),
    };
    let read = async |sql: &'static str| {
        let mut connection = pool.acquire().await.map_err(unreadable)?;
        let value = sqlx::query_scalar::<_, String>(sql);
        value.fetch_one(&mut connection).await.map_err(unreadable)
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
    let (setting, number) = commits.words();
    let synchronous = read("SELECT CAST(synchronous AS TEXT) FROM pragma_synchronous").await?;
    if synchronous != number {
        return Err(careless(setting, &synchronous));
    }
    let removes = read("SELECT CAST(secure_delete AS TEXT) FROM pragma_secure_delete").await?;
    if removes != "1" {
        return Err(careless("secure_delete=ON", &removes));
    }
    let refers = read("SELECT CAST(foreign_keys AS TEXT) FROM pragma_foreign_keys").await?;
    if refers != "1" {
        return Err(careless("foreign_keys=ON", &refers));
    }
    Ok(())
}
