//! The database of a server that may be running, for commands that change little in it.

use super::engine::sqlite::connect_admin;
use super::engine::{Engine, Pool, postgres};
use super::error::{DatabaseError, DbError};
use super::preconditions::{self, Schema};
use super::write_transaction::WriteTx;
use crate::database_address::DatabaseAddress;
use secrecy::ExposeSecret;

async fn connect(address: &DatabaseAddress) -> Result<(Pool, Schema, Engine), sqlx::Error> {
    let (pool, engine) = match address {
        DatabaseAddress::File(path) => (connect_admin(path).await?, Engine::Sqlite),
        DatabaseAddress::Server(server) => {
            let address = server.address.expose_secret();
            let session = postgres::READER_SESSION;
            (
                postgres::connect(address, 1, session).await?,
                Engine::Postgres,
            )
        }
    };
    let schema = preconditions::find_schema(&mut pool.acquire().await?).await?;
    Ok((pool, schema, engine))
}

/// A connection that needs no lock of the file.
pub(crate) struct AdminDb {
    pub(super) pool: Pool,
    pub(super) engine: Engine,
}

/// Why a command cannot open the database beside a server; each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum AdminDbError {
    /// The database of this name cannot be opened, for this reason.
    #[error("DATABASE: {0} cannot be opened ({1}); name the database of a merchant-backend")]
    Unreadable(String, String),
    /// The database of this name has the schema of another version.
    #[error(
        "DATABASE: {0} is of another version; start this version of merchant-backend on it once, or use the version that runs"
    )]
    OtherVersion(String),
    /// The database is a file that was copied to a database server, which has taken its place.
    #[error("{0}")]
    Moved(DatabaseError),
}

impl AdminDb {
    pub(crate) async fn open(address: &DatabaseAddress) -> Result<Self, AdminDbError> {
        let unreadable =
            |error: sqlx::Error| AdminDbError::Unreadable(address.to_string(), error.to_string());
        let (pool, schema, engine) = connect(address).await.map_err(unreadable)?;
        if schema != Schema::Newest {
            return Err(AdminDbError::OtherVersion(address.to_string()));
        }
        let mut connection = pool.acquire().await.map_err(unreadable)?;
        let usable = preconditions::refuse_moved(&mut connection, &address.to_string()).await;
        usable.map_err(AdminDbError::Moved)?;
        drop(connection);
        Ok(Self { pool, engine })
    }

    /// Begins a transaction that may write. `copy` may have moved the file while this one waited.
    pub(super) async fn write(&self) -> Result<WriteTx, DbError> {
        let mut transaction = WriteTx::begin(&self.pool).await?;
        match self.engine {
            Engine::Postgres => Ok(transaction),
            Engine::Sqlite => match preconditions::moved_to(&mut transaction).await? {
                None => Ok(transaction),
                Some(target) => Err(DbError::Failed(format!("it was moved to {target}"))),
            },
        }
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }
}
