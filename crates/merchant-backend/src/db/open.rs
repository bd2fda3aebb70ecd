//! Opening the database at the start of a server.

use super::connections::Db;
use super::database_error::DatabaseError;
use super::database_file::lock;
use super::due::{self, Due};
use super::engine::{Commits, Connection, Engine, Pool, postgres, sqlite};
use super::error::DbError;
use super::schema::{self, Schema};
use super::scope::Scope;
use super::write_queue::Writers;
use super::{clock, gone_senders, idempotency_keys, moved};
use crate::clock::now;
use crate::database_address::{DatabaseAddress, ServerAddress};
use crate::random::token;
use secrecy::ExposeSecret;
use sqlx::Connection as _;
use sqlx::migrate::MigrateError;
use std::fs::File;
use std::path::Path;

/// How many connections of one process read a server at once, and how many write.
const READERS: u32 = 6;
const WRITERS: u32 = 6;

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
        moved::usable(&mut connection, &own.name).await?;
        drop(connection);
        own.open().await
    }

    /// Opens a database of a server. Other processes may use it, so nothing in it ends here; what
    /// a process left running ends when its time is over.
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
        clock::follow(&mut first).await.map_err(unreachable)?;
        // The connection has done its work.
        let _ = first.close().await;
        let readers = postgres::connect(address, READERS);
        let readers = readers.await.map_err(unreachable)?;
        let writers = postgres::connect(address, WRITERS);
        let writers = Writers::of_server(writers.await.map_err(unreachable)?);
        let own_name = token().map_err(|error| DatabaseError::Unreachable {
            name: name.clone(),
            cause: error.to_string(),
        })?;
        Ok(Self::of_server(readers, writers, server.clone(), own_name))
    }
}

/// A file that this process alone has, with the newest schema.
pub(super) struct OwnFile<'a> {
    path: &'a Path,
    pub(super) name: String,
    lock: File,
    pub(super) synced: Pool,
}

impl<'a> OwnFile<'a> {
    pub(super) async fn take(path: &'a Path) -> Result<Self, DatabaseError> {
        let name = path.display().to_string();
        let lock = lock(path, &name)?;
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
        let delayed = sqlite::connect(self.path, Commits::Delayed, 1).await;
        let delayed = delayed.map_err(|cause| self.unreadable(&cause))?;
        sqlite::prove(&delayed, &self.name, Commits::Delayed).await?;
        let readers = sqlite::connect(self.path, Commits::Synced, 4).await;
        let readers = readers.map_err(|cause| self.unreadable(&cause))?;
        let writers = Writers::of_file(self.synced, delayed);
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
    let found = schema::look(connection).await;
    if found.map_err(|error| failed(error.to_string()))? == Schema::Foreign {
        return Err(DatabaseError::Foreign(name.to_owned()));
    }
    let migrations = schema::migrations(Engine::of(connection));
    let done = migrations.run(connection).await;
    done.map_err(|error| match error {
        MigrateError::VersionMissing(_) => DatabaseError::Newer(name.to_owned()),
        MigrateError::VersionMismatch(_) => DatabaseError::Foreign(name.to_owned()),
        other => failed(other.to_string()),
    })
}

/// Only this process has the file, so every running request in it belonged to a process that is
/// gone.
async fn free_all(db: &Db) -> Result<(), DbError> {
    let mut transaction = db.write(Scope::Rows).await?;
    idempotency_keys::free_all(&mut transaction).await?;
    gone_senders::abandon_all(&mut transaction, now()).await?;
    for due in Due::ALL {
        due::spread(&mut transaction, due, now()).await?;
    }
    transaction.commit().await
}
