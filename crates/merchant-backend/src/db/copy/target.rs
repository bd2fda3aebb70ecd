//! The new database.

use super::error::CopyError;
use super::rows::{Counts, TABLES, copy, counts};
use crate::database_address::ServerAddress;
use crate::db::database_error::DatabaseError;
use crate::db::engine::{Connection, Engine, postgres};
use crate::db::schema::{self, Schema};
use secrecy::ExposeSecret;
use sqlx::migrate::Migrate as _;
use sqlx::{Any, AssertSqlSafe, Connection as _, Transaction};

/// The statements of a copy may take long, and a lock of another connection at most ten seconds. The
/// server rolls back the transaction of a process that has been silent for five minutes.
const TIMEOUTS: &str = "SET lock_timeout = '10s'; SET statement_timeout = 0;
    SET idle_in_transaction_session_timeout = '5min'";

pub(super) struct Target {
    /// Without a user or a password.
    pub(super) name: String,
    connection: Connection,
    found: Schema,
}

impl Target {
    pub(super) async fn open(server: &ServerAddress) -> Result<Self, CopyError> {
        let name = server.to_string();
        let unreachable = |cause: sqlx::Error| {
            CopyError::To(DatabaseError::Unreachable {
                name: name.clone(),
                cause: cause.to_string(),
            })
        };
        let connection = postgres::connect_once(server.address.expose_secret());
        let mut connection = connection.await.map_err(unreachable)?;
        let refused = postgres::refused(&mut connection).await;
        if let Some(refused) = refused.map_err(unreachable)? {
            return Err(CopyError::To(refused.error(&name)));
        }
        sqlx::raw_sql(TIMEOUTS).execute(&mut connection).await?;
        // The lock of migrations, until the connection ends. A server that starts meanwhile waits,
        // and this process waits for the end of a copy that was killed while its commit was under
        // way.
        let locked = connection.lock().await;
        locked.map_err(|error| CopyError::Stopped(error.to_string()))?;
        let found = schema::look(&mut connection).await?;
        Ok(Self {
            name,
            connection,
            found,
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found == Schema::Missing
    }

    /// Creates the tables and copies all rows, in a transaction that the caller commits.
    pub(super) async fn fill(&mut self, file: &mut Connection) -> Result<Filled<'_>, CopyError> {
        let mut transaction = self.connection.begin().await?;
        let mut migrations = schema::migrations(Engine::Postgres);
        // This connection has the lock.
        migrations.set_locking(false);
        let made = migrations.run(&mut *transaction).await;
        made.map_err(|error| CopyError::Stopped(error.to_string()))?;
        // The migrations insert one row. The triggers check changes and would refuse rows whose changes
        // lie in the past; foreign keys are still checked.
        run(&mut transaction, "DELETE FROM readiness".to_owned()).await?;
        run(&mut transaction, on_all("DISABLE TRIGGER USER")).await?;
        for table in TABLES {
            copy(file, &mut transaction, table).await?;
        }
        run(&mut transaction, on_all("ENABLE TRIGGER USER")).await?;
        // Without statistics the server would plan its first queries for empty tables.
        run(&mut transaction, format!("ANALYZE {}", TABLES.join(", "))).await?;
        let wanted = counts(file).await?;
        let counts = counts(&mut transaction).await?;
        if counts != wanted {
            return Err(CopyError::Differs);
        }
        Ok(Filled {
            transaction,
            counts,
        })
    }

    /// The number of rows of each table.
    pub(super) async fn counts(&mut self) -> Result<Counts, CopyError> {
        match self.found {
            Schema::Newest => counts(&mut self.connection).await,
            _ => Ok(Counts::new()),
        }
    }

    pub(super) async fn close(self) {
        // The end of the connection releases its lock too.
        let _ = self.connection.close().await;
    }
}

/// The copied rows, in an open transaction.
pub(super) struct Filled<'a> {
    transaction: Transaction<'a, Any>,
    counts: Counts,
}

impl Filled<'_> {
    pub(super) async fn commit(self) -> Result<Counts, CopyError> {
        self.transaction.commit().await?;
        Ok(self.counts)
    }
}

fn on_all(change: &str) -> String {
    let changes = TABLES.map(|table| format!("ALTER TABLE {table} {change}"));
    changes.join("; ")
}

async fn run(connection: &mut Connection, sql: String) -> Result<(), CopyError> {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection);
    done.await?;
    Ok(())
}
