//! Opens the database at the start of a server, after it has checked lock, schema and mark of a copy.

use super::connections::{Db, Writers};
use super::due::{self, Due};
use super::engine::{Commits, Connection, Engine, Pool, postgres, sqlite};
use super::error::{DatabaseError, DbError};
use super::lock::Lock;
use super::{abandoned_requests, idempotency_keys};
use crate::clock::now;
use crate::database_address::{DatabaseAddress, ServerAddress};
use crate::random::token;
use secrecy::ExposeSecret;
use sqlx::migrate::{MigrateError, Migrator};
use std::cmp::Ordering;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The connections of one process to a server of PostgreSQL.
const POSTGRES_READ_CONNECTIONS: u32 = 6;
const POSTGRES_WRITE_CONNECTIONS: u32 = 6;
/// The connections that read a file; one more writes.
const SQLITE_READ_CONNECTIONS: u32 = 4;

impl Db {
    /// Opens the database, and makes or updates its schema.
    pub(crate) async fn open(address: &DatabaseAddress) -> Result<Self, DatabaseError> {
        match address {
            DatabaseAddress::File(path) => Self::open_file(path).await,
            DatabaseAddress::Server(server) => Self::open_server(server).await,
        }
    }

    /// Opens a file, and ends what a stopped process left running in it.
    pub(super) async fn open_file(path: &Path) -> Result<Self, DatabaseError> {
        let own = OwnFile::take(path).await?;
        let unreadable = |cause: sqlx::Error| own.unreadable(&cause);
        let mut connection = own.synced.acquire().await.map_err(unreadable)?;
        refuse_moved(&mut connection, &own.name).await?;
        drop(connection);
        own.open().await
    }

    /// Opens a database of PostgreSQL. Other processes may use it, so a start ends no lease of another
    /// process; a lease that a process left behind expires.
    async fn open_server(server: &ServerAddress) -> Result<Self, DatabaseError> {
        let name = server.to_string();
        let unreachable = |cause: sqlx::Error| DatabaseError::Unreachable {
            name: name.clone(),
            cause: cause.to_string(),
        };
        let address = server.address.expose_secret();
        let mut first = postgres::connect_once(address).await.map_err(unreachable)?;
        let refused = postgres::refused(&mut first).await.map_err(unreachable)?;
        if let Some(refused) = refused {
            return Err(refused.error(&name));
        }
        migrate(&mut first, &name).await?;
        postgres::follow_clock(&mut first)
            .await
            .map_err(unreachable)?;
        // An error while closing changes nothing.
        let _ = first.close().await;
        let own_name = token().map_err(|error| DatabaseError::Unreachable {
            name: name.clone(),
            cause: error.to_string(),
        })?;
        let readers =
            postgres::connect(address, POSTGRES_READ_CONNECTIONS, postgres::READER_SESSION);
        let readers = readers.await.map_err(unreachable)?;
        let writers = postgres::connect(
            address,
            POSTGRES_WRITE_CONNECTIONS,
            postgres::WRITER_SESSION,
        );
        let writers = Writers::of_server(writers.await.map_err(unreachable)?);
        Ok(Self::of_server(readers, writers, server.clone(), own_name))
    }
}

/// A file that this process has locked, with the newest schema.
pub(super) struct OwnFile<'a> {
    path: &'a Path,
    pub(super) name: String,
    lock: File,
    pub(super) synced: Pool,
}

impl<'a> OwnFile<'a> {
    pub(super) async fn take(path: &'a Path) -> Result<Self, DatabaseError> {
        let name = path.display().to_string();
        let lock = lock_file(path, &name)?;
        let synced = sqlite::connect(path, Commits::Synced, 1).await;
        let synced = synced.map_err(|cause| DatabaseError::Unreadable {
            path: name.clone(),
            cause: cause.to_string(),
        })?;
        sqlite::prove(&synced, &name, Commits::Synced).await?;
        let own = Self {
            path,
            name,
            lock,
            synced,
        };
        let unreadable = |cause: sqlx::Error| own.unreadable(&cause);
        let mut connection = own.synced.acquire().await.map_err(unreadable)?;
        migrate(&mut connection, &own.name).await?;
        drop(connection);
        Ok(own)
    }

    fn unreadable(&self, cause: &sqlx::Error) -> DatabaseError {
        DatabaseError::Unreadable {
            path: self.name.clone(),
            cause: cause.to_string(),
        }
    }

    /// Opens it, and ends what a stopped process left running in it.
    pub(super) async fn open(self) -> Result<Db, DatabaseError> {
        let async_commit = sqlite::connect(self.path, Commits::Async, 1).await;
        let async_commit = async_commit.map_err(|cause| self.unreadable(&cause))?;
        sqlite::prove(&async_commit, &self.name, Commits::Async).await?;
        let readers = sqlite::connect(self.path, Commits::Synced, SQLITE_READ_CONNECTIONS).await;
        let readers = readers.map_err(|cause| self.unreadable(&cause))?;
        let writers = Writers::of_file(self.synced, async_commit);
        let db = Db::of_file(readers, writers, self.lock);
        let freed = free_all(&db).await;
        freed.map_err(|error| DatabaseError::Schema(self.name, error.to_string()))?;
        Ok(db)
    }
}

/// Makes the schema, or brings it up to date. Processes that start together take turns, since the
/// migrator holds a lock of PostgreSQL; a file has one owner.
async fn migrate(connection: &mut Connection, name: &str) -> Result<(), DatabaseError> {
    let failed = |cause: String| DatabaseError::Schema(name.to_owned(), cause);
    let found = find_schema(connection).await;
    match found.map_err(|error| failed(error.to_string()))? {
        Schema::Foreign => return Err(DatabaseError::Foreign(name.to_owned())),
        Schema::OtherBuild => return Err(DatabaseError::OtherBuild(name.to_owned())),
        Schema::Missing | Schema::Older | Schema::Newest | Schema::Newer => {}
    }
    let migrations = migrations(Engine::of(connection));
    let done = migrations.run(connection.driver()).await;
    done.map_err(|error| match error {
        MigrateError::VersionMissing(_) => DatabaseError::Newer(name.to_owned()),
        MigrateError::VersionMismatch(_) => DatabaseError::Foreign(name.to_owned()),
        other => failed(other.to_string()),
    })
}

/// Only this process uses the file, so every running request in it belonged to a process that has
/// stopped.
async fn free_all(db: &Db) -> Result<(), DbError> {
    let mut transaction = db.write(Lock::None).await?;
    idempotency_keys::free_all(&mut transaction).await?;
    abandoned_requests::abandon_all(&mut transaction, now()).await?;
    for due in Due::ALL {
        due::spread(&mut transaction, due, now()).await?;
    }
    transaction.commit().await
}

/// Creates a file that only its owner can read, since it has names and addresses of people. An
/// existing file keeps its permissions.
fn owner_only() -> OpenOptions {
    let mut options = File::options();
    options.create(true).truncate(false).write(true).mode(0o600);
    options
}

/// Creates the file if there is none, and locks it for this process; the system releases the lock
/// when the process ends.
pub(super) fn lock_file(path: &Path, name: &str) -> Result<File, DatabaseError> {
    let mut lock_path = path.as_os_str().to_owned();
    lock_path.push(".lock");
    let unreadable = |cause: std::io::Error| DatabaseError::Unreadable {
        path: name.to_owned(),
        cause: cause.to_string(),
    };
    let file = owner_only().open(lock_path).map_err(unreadable)?;
    match file.try_lock() {
        Ok(()) => {
            // SQLite would create a file that every user of the machine can read. The other files of
            // SQLite get the permissions of this one.
            owner_only().open(path).map_err(unreadable)?;
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => Err(DatabaseError::InUse(name.to_owned())),
        Err(TryLockError::Error(cause)) => Err(unreadable(cause)),
    }
}

/// True while another process has locked the file. It takes no lock and creates no file.
pub(super) fn is_locked(path: &Path) -> bool {
    let mut lock_path = path.as_os_str().to_owned();
    lock_path.push(".lock");
    // A lock that this call gets is released when the file is closed here.
    let lock = File::open(lock_path).map(|file| file.try_lock());
    matches!(lock, Ok(Err(TryLockError::WouldBlock)))
}

/// The new database that the mark of a copy names, if the file is marked.
pub(super) async fn moved_to(connection: &mut Connection) -> Result<Option<String>, DbError> {
    let target = sqlx::query_scalar("SELECT target FROM moved");
    Ok(target.fetch_optional(connection).await?)
}

pub(super) async fn mark_as_moved(
    connection: &mut Connection,
    target: &str,
) -> Result<(), DbError> {
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

/// Refuses a file whose rows a copy has moved, or is about to move.
pub(super) async fn refuse_moved(
    connection: &mut Connection,
    name: &str,
) -> Result<(), DatabaseError> {
    if Engine::of(connection) == Engine::Postgres {
        return Ok(());
    }
    let target = moved_to(connection).await;
    let target = target.map_err(|error| DatabaseError::Schema(name.to_owned(), error.to_string()));
    target?.map_or(Ok(()), |to| {
        let name = name.to_owned();
        Err(DatabaseError::Moved { name, to })
    })
}

/// The migrator's own table of the migrations that ran.
const MIGRATIONS_TABLE: &str = "_sqlx_migrations";

/// The schema that a database has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schema {
    /// There is no table at all.
    Missing,
    /// The tables are of another program.
    Foreign,
    /// Another build of this program made them, with another first migration.
    OtherBuild,
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

pub(super) async fn find_schema(connection: &mut Connection) -> Result<Schema, sqlx::Error> {
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
    let found: Option<i64> = found.fetch_one(&mut *connection).await?;
    let first =
        sqlx::query_scalar("SELECT checksum FROM _sqlx_migrations ORDER BY version LIMIT 1");
    let first: Option<Vec<u8>> = first.fetch_optional(connection).await?;
    let is_ours = |first: Vec<u8>| {
        let own = migrations(engine);
        own.iter().next().is_some_and(|own| *own.checksum == first)
    };
    if !first.is_none_or(is_ours) {
        // Other programs have migrations of their own.
        let has_ours = tables.iter().any(|table| table == "order_sessions");
        return Ok(if has_ours {
            Schema::OtherBuild
        } else {
            Schema::Foreign
        });
    }
    let newest = migrations(engine).iter().map(|one| one.version).max();
    Ok(match found.cmp(&newest) {
        Ordering::Less => Schema::Older,
        Ordering::Equal => Schema::Newest,
        Ordering::Greater => Schema::Newer,
    })
}

#[cfg(test)]
mod preconditions_tests;
