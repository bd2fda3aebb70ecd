//! The new database.

use super::digest::TableDigest;
use super::error::CopyError;
use super::rows::{copy, sum};
use super::tables::{Shape, TABLES, Table};
use crate::database_address::ServerAddress;
use crate::db::database_error::DatabaseError;
use crate::db::engine::{Connection, Engine, postgres};
use crate::db::moves::{self, Move, Stage};
use crate::db::schema;
use secrecy::ExposeSecret;
use sqlx::migrate::Migrate as _;
use sqlx::{AssertSqlSafe, Connection as _};

/// A copy may take long; a lock that a stranger holds shall not hold it up.
const PATIENCE: &str = "SET lock_timeout = '10s'; SET statement_timeout = 0;
    SET idle_in_transaction_session_timeout = 0";

pub(super) struct Target {
    /// Without a user or a password.
    pub(super) name: String,
    connection: Connection,
    found: Found,
}

/// The content that it had.
#[derive(Debug)]
enum Found {
    Nothing,
    /// The beginning or the end of a move.
    Known(Move),
    /// Anything else.
    Something,
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
        sqlx::raw_sql(PATIENCE).execute(&mut connection).await?;
        // The lock of migrations: a server that starts meanwhile waits, and then sees the move.
        let locked = connection.lock().await;
        locked.map_err(|error| CopyError::Stopped(error.to_string()))?;
        let found = found(&mut connection).await?;
        Ok(Self {
            name,
            connection,
            found,
        })
    }

    /// Refuses a database that holds anything but the beginning of this move.
    pub(super) fn must_be_free(&self, known: &Move) -> Result<(), CopyError> {
        let name = self.name.clone();
        match &self.found {
            Found::Nothing => Ok(()),
            Found::Known(found) if found.stage == Stage::Arriving && found.id == known.id => Ok(()),
            Found::Known(found) if found.stage == Stage::Arriving => Err(CopyError::OfAnother {
                name,
                from: found.other.clone(),
            }),
            Found::Known(_) | Found::Something => Err(CopyError::NotEmpty(name)),
        }
    }

    /// Refuses a database that does not wait for the old one to leave.
    pub(super) fn must_await(&self, known: &Move, from: &str) -> Result<(), CopyError> {
        let from = from.to_owned();
        let to = known.other.clone();
        match &self.found {
            Found::Known(found) if found.id == known.id => match found.stage {
                Stage::Arrived => Err(CopyError::Already { from, to }),
                _ => Ok(()),
            },
            _ => Err(CopyError::Elsewhere {
                from,
                to,
                name: self.name.clone(),
            }),
        }
    }

    /// Makes the tables, and writes the move into them, both or neither.
    pub(super) async fn announce(&mut self, arriving: Move) -> Result<(), CopyError> {
        let mut transaction = self.connection.begin().await?;
        let mut migrator = schema::migrations(Engine::Postgres);
        // This connection has the lock, also after the end of the transaction.
        migrator.set_locking(false);
        let made = migrator.run(&mut *transaction).await;
        made.map_err(|error| CopyError::Stopped(error.to_string()))?;
        moves::write(&mut transaction, &arriving).await?;
        transaction.commit().await?;
        self.found = Found::Known(arriving);
        Ok(())
    }

    /// Copies all rows and compares them in one transaction.
    pub(super) async fn fill(
        &mut self,
        from: &mut Connection,
    ) -> Result<Vec<TableDigest>, CopyError> {
        let mut transaction = self.connection.begin().await?;
        // Triggers watch over what is done, not over what was; references are still checked.
        on_all(&mut transaction, |table| {
            format!("ALTER TABLE {table} DISABLE TRIGGER USER")
        })
        .await?;
        // The rest of an attempt before, and the rows that the schema brings along.
        let names = TABLES.map(|table| table.name).join(", ");
        let empty = sqlx::raw_sql(AssertSqlSafe(format!("TRUNCATE {names}")));
        empty.execute(&mut *transaction).await?;
        let mut tables = Vec::with_capacity(TABLES.len());
        for table in TABLES {
            let shape = Shape::of_file(from, table).await?;
            let copied = copy(from, &mut transaction, &shape).await?;
            if sum(&mut transaction, &shape).await? != copied {
                return Err(CopyError::Differs(table.name));
            }
            tables.push(copied);
            if let Some(counter) = table.counter {
                count_on(from, &mut transaction, table, counter).await?;
            }
        }
        on_all(&mut transaction, |table| {
            format!("ALTER TABLE {table} ENABLE TRIGGER USER")
        })
        .await?;
        // Until it knows of so many rows at once, the server plans as if there were none.
        on_all(&mut transaction, |table| format!("ANALYZE {table}")).await?;
        transaction.commit().await?;
        Ok(tables)
    }

    /// Sums up what is there.
    pub(super) async fn digests(
        &mut self,
        from: &mut Connection,
    ) -> Result<Vec<TableDigest>, CopyError> {
        let mut tables = Vec::with_capacity(TABLES.len());
        for table in TABLES {
            let shape = Shape::of_file(from, table).await?;
            tables.push(sum(&mut self.connection, &shape).await?);
        }
        Ok(tables)
    }

    /// Lets servers start on it.
    pub(super) async fn arrive(&mut self, left: &Move) -> Result<(), CopyError> {
        if let Found::Known(found) = &mut self.found {
            found.stage = Stage::Arrived;
            found.digest.clone_from(&left.digest);
            moves::write(&mut self.connection, found).await?;
        }
        Ok(())
    }

    pub(super) async fn close(self) {
        // The end of the connection releases its lock too.
        let _ = self.connection.close().await;
    }
}

async fn found(connection: &mut Connection) -> Result<Found, CopyError> {
    let tables = async |connection: &mut Connection, which: &'static str| {
        let sql = format!(
            "SELECT count(*) FROM information_schema.tables
             WHERE table_schema = current_schema(){which}"
        );
        let count = sqlx::query_scalar::<_, i64>(AssertSqlSafe(sql));
        count.fetch_one(connection).await
    };
    if tables(connection, "").await? == 0 {
        return Ok(Found::Nothing);
    }
    let ours = " AND table_name IN ('moves', '_sqlx_migrations')";
    if tables(connection, ours).await? < 2 {
        return Ok(Found::Something);
    }
    let known = moves::find(connection).await?;
    Ok(known.map_or(Found::Something, Found::Known))
}

async fn on_all(
    connection: &mut Connection,
    statement: impl Fn(&str) -> String,
) -> Result<(), CopyError> {
    let statements: Vec<String> = TABLES.iter().map(|table| statement(table.name)).collect();
    let all = sqlx::raw_sql(AssertSqlSafe(statements.join("; ")));
    all.execute(connection).await?;
    Ok(())
}

/// Lets the next row have a number that no row had, also none that was removed.
async fn count_on(
    from: &mut Connection,
    to: &mut Connection,
    table: Table,
    counter: &str,
) -> Result<(), CopyError> {
    let name = table.name;
    let sql = format!(
        "SELECT max(number) FROM (SELECT coalesce(max({counter}), 0) AS number FROM {name}
         UNION ALL SELECT seq FROM sqlite_sequence WHERE name = '{name}') AS numbers"
    );
    let highest = sqlx::query_scalar::<_, i64>(AssertSqlSafe(sql));
    let highest = highest.fetch_one(from).await?;
    let sql = format!(
        "SELECT setval(pg_get_serial_sequence('{name}', '{counter}'), greatest($1, 1), $1 > 0)"
    );
    let set = sqlx::query(AssertSqlSafe(sql)).bind(highest);
    set.execute(to).await?;
    Ok(())
}
