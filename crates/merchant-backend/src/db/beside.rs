//! The database of a server that may be running, for commands that change little of it.

use super::database_error::DatabaseError;
use super::engine::sqlite::connect_beside;
use super::engine::{Engine, Pool, postgres};
use super::error::DbError;
use super::moved;
use super::schema::{self, Schema};
use super::write_transaction::Writing;
use crate::database_address::DatabaseAddress;
use secrecy::ExposeSecret;

/// The database, without the server's lock.
pub(crate) struct Beside {
    pub(super) pool: Pool,
    pub(super) engine: Engine,
}

/// Why it cannot be opened.
#[derive(Debug)]
pub(crate) enum BesideError {
    /// The message of the system or the engine.
    Unreadable(String),
    /// It has the schema of another version.
    OtherVersion,
    /// It is a file that was moved.
    Moved(DatabaseError),
}

impl From<sqlx::Error> for BesideError {
    fn from(error: sqlx::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}

impl Beside {
    pub(crate) async fn open(address: &DatabaseAddress) -> Result<Self, BesideError> {
        let (pool, engine) = match address {
            DatabaseAddress::File(path) => (connect_beside(path).await?, Engine::Sqlite),
            DatabaseAddress::Server(server) => {
                let address = server.address.expose_secret();
                (postgres::connect(address, 1).await?, Engine::Postgres)
            }
        };
        let mut connection = pool.acquire().await?;
        if schema::look(&mut connection).await? != Schema::Newest {
            return Err(BesideError::OtherVersion);
        }
        let usable = moved::usable(&mut connection, &address.to_string()).await;
        usable.map_err(BesideError::Moved)?;
        Ok(Self { pool, engine })
    }

    /// Begins a transaction that may write. `copy` may have moved the file while this one waited.
    pub(super) async fn write(&self) -> Result<Writing, DbError> {
        let mut transaction = Writing::begin(&self.pool).await?;
        match self.engine {
            Engine::Postgres => Ok(transaction),
            Engine::Sqlite => match moved::target(&mut transaction).await? {
                None => Ok(transaction),
                Some(target) => Err(DbError::Failed(format!("it was moved to {target}"))),
            },
        }
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }
}
