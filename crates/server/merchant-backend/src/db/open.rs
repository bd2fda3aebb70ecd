//! Opens the database at the start of a server.

use super::connections::{Db, Writers};
use super::due::{self, Due};
use super::engine::{Commits, Connection, Engine, Pool, postgres, sqlite};
use super::error::{DatabaseError, DbError};
use super::lock::Lock;
use super::preconditions::{self, Schema};
use super::{abandoned_requests, idempotency_keys};
use crate::clock::now;
use crate::database_address::{DatabaseAddress, ServerAddress};
use crate::random::token;
use secrecy::ExposeSecret;
use sqlx::migrate::MigrateError;
use std::fs::File;
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
        preconditions::refuse_moved(&mut connection, &own.name).await?;
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
        let lock = preconditions::lock_file(path, &name)?;
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
    let found = preconditions::find_schema(connection).await;
    match found.map_err(|error| failed(error.to_string()))? {
        Schema::Foreign => return Err(DatabaseError::Foreign(name.to_owned())),
        Schema::OtherBuild => return Err(DatabaseError::OtherBuild(name.to_owned())),
        Schema::Missing | Schema::Older | Schema::Newest | Schema::Newer => {}
    }
    let migrations = preconditions::migrations(Engine::of(connection));
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
