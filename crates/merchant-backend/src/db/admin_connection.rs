//! The database of a server that may be running, for commands that change little in it: `purge`, and the
//! comparison with a statement of the payment service.

use super::engine::sqlite::connect_admin;
use super::engine::{Connection, Engine, Pool, postgres};
use super::error::{DatabaseError, DbError};
use super::exceptions::{self, FlagTable};
use super::preconditions::{self, Schema};
use super::write_transaction::WriteTx;
use crate::database_address::DatabaseAddress;
use payment_model::Currency;
use payment_rules::compare_statement::{Compared, Own, StatementLine};
use secrecy::ExposeSecret;
use sqlx::Row as _;

async fn connect(address: &DatabaseAddress) -> Result<(Pool, Schema, Engine), sqlx::Error> {
    let (pool, engine) = match address {
        DatabaseAddress::File(path) => (connect_admin(path).await?, Engine::Sqlite),
        DatabaseAddress::Server(server) => {
            let address = server.address.expose_secret();
            let session = postgres::READER_SESSION;
            (
                postgres::connect(address, 1, session, None).await?,
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

impl AdminDb {
    /// Compares lines of a statement with the operations, and flags each difference as an exception. A line
    /// without a difference removes the flag of an earlier statement.
    pub(crate) async fn compare(&self, lines: &[StatementLine]) -> Result<Vec<Compared>, DbError> {
        let mut transaction = self.write().await?;
        let mut compared = Vec::with_capacity(lines.len());
        for line in lines {
            let own = own(&mut transaction, line).await?;
            let found = line.compare(own.as_ref());
            match &found {
                Compared::Unknown => {}
                Compared::Same => {
                    exceptions::set_flag(&mut transaction, FlagTable::Difference, &line.key, None)
                        .await?;
                }
                Compared::Differs(detail) => {
                    exceptions::set_flag(
                        &mut transaction,
                        FlagTable::Difference,
                        &line.key,
                        Some(detail),
                    )
                    .await?;
                }
            }
            compared.push(found);
        }
        transaction.commit().await?;
        Ok(compared)
    }
}

async fn own(connection: &mut Connection, line: &StatementLine) -> Result<Option<Own>, DbError> {
    let row = sqlx::query(
        "SELECT state, amount, currency FROM operations
         WHERE merchant_code = $1 AND merchant_operation_number = $2",
    )
    .bind(line.key.merchant_code.as_str())
    .bind(line.key.number.as_str())
    .fetch_optional(connection)
    .await?;
    let read = |row: super::engine::Row| {
        Ok(Own {
            state: row.try_get("state")?,
            cents: row.try_get::<i64, _>("amount")?.cast_unsigned(),
            currency: Currency::new(row.try_get::<String, _>("currency")?),
        })
    };
    row.map(read).transpose()
}
