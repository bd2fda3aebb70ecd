//! The new database, and the rows of all tables that are copied to it. They travel as JSON, which keeps every
//! value that the schema allows.

use super::error::CopyError;
use crate::database_address::ServerAddress;
use crate::db::engine::{Connection, Engine, ROW_ID, postgres};
use crate::db::error::DatabaseError;
use crate::db::preconditions::{self, Schema};
use secrecy::ExposeSecret;
use sqlx::migrate::Migrate as _;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Connection as _, Transaction};

/// The statements of a copy may take long, and a lock of another connection at most ten seconds. The
/// server rolls back the transaction of a process that has been silent for five minutes.
const COPY_TIMEOUTS: &str = "SET lock_timeout = '10s'; SET statement_timeout = 0;
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
        sqlx::raw_sql(COPY_TIMEOUTS)
            .execute(&mut connection)
            .await?;
        // The lock of migrations, until the connection ends. A server that starts meanwhile waits,
        // and this process waits for the end of a copy that was killed while its commit was under
        // way.
        let locked = connection.driver().lock().await;
        locked.map_err(|error| CopyError::Stopped(error.to_string()))?;
        let found = preconditions::find_schema(&mut connection).await?;
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
        let mut transaction = self.connection.driver().begin().await?;
        let mut migrations = preconditions::migrations(Engine::Postgres);
        // This connection has the lock.
        migrations.set_locking(false);
        let made = migrations.run(&mut *transaction).await;
        made.map_err(|error| CopyError::Stopped(error.to_string()))?;
        // The migrations insert one row. The triggers are about changes, and not about rows that are
        // copied; foreign keys are still checked.
        run(&mut transaction, "DELETE FROM readiness".to_owned()).await?;
        run(&mut transaction, on_all("DISABLE TRIGGER USER")).await?;
        for table in TABLES {
            copy_table(file, &mut transaction, table).await?;
        }
        run(&mut transaction, on_all("ENABLE TRIGGER USER")).await?;
        // Without statistics the server would plan its first queries for empty tables.
        run(&mut transaction, format!("ANALYZE {}", TABLES.join(", "))).await?;
        let wanted = counts(file.driver()).await?;
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
            Schema::Newest => counts(self.connection.driver()).await,
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

async fn run(connection: &mut AnyConnection, sql: String) -> Result<(), CopyError> {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection);
    done.await?;
    Ok(())
}

/// Every table, each after the tables that it refers to.
pub(super) const TABLES: [&str; 24] = [
    "orders",
    "order_numbers",
    "order_sessions",
    "closed_orders",
    "pay_links",
    "staff_links",
    "idempotency_keys",
    "events",
    "event_receivers",
    "deliveries",
    "operations",
    "transaction_hints",
    "refund_watches",
    "refused_codes",
    "requests",
    "exceptions",
    "resolved_exceptions",
    "staff_sessions",
    "staff_second_factors",
    "staff_wrong_codes",
    "api_keys",
    "audit",
    "readiness",
    "fence",
];

/// How many rows one statement copies.
const BATCH_ROWS: i64 = 500;

/// The number of rows of each table.
pub(crate) type Counts = Vec<(&'static str, i64)>;

pub(super) async fn counts(connection: &mut AnyConnection) -> Result<Counts, CopyError> {
    let mut counts = Counts::with_capacity(TABLES.len());
    for table in TABLES {
        let count = AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
        let count = sqlx::query_scalar(count).fetch_one(&mut *connection);
        counts.push((table, count.await?));
    }
    Ok(counts)
}

/// Copies the rows of a table from a file to a server.
pub(super) async fn copy_table(
    file: &mut Connection,
    server: &mut AnyConnection,
    table: &'static str,
) -> Result<(), CopyError> {
    // PostgreSQL names the columns, since it shows the number of a row that SQLite hides.
    let columns: Vec<(String, String)> = sqlx::query_as(
        "SELECT CAST(column_name AS text), CAST(is_identity AS text)
         FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = $1",
    )
    .bind(table)
    .fetch_all(&mut *server)
    .await?;
    let members: Vec<String> = columns
        .iter()
        .map(|(name, _)| format!("'{name}', {name}"))
        .collect();
    let take = format!(
        "SELECT json_group_array(json_object({})), max({ROW_ID})
         FROM (SELECT {ROW_ID} AS {ROW_ID}, * FROM {table}
             WHERE {ROW_ID} > $1 ORDER BY {ROW_ID} LIMIT {BATCH_ROWS})",
        members.join(", ")
    );
    let add = format!(
        "INSERT INTO {table}
         SELECT * FROM json_populate_recordset(CAST(NULL AS {table}), CAST($1 AS json))"
    );
    let mut after = i64::MIN;
    loop {
        let take = sqlx::query_as(AssertSqlSafe(take.clone())).bind(after);
        let (rows, last): (String, Option<i64>) = take.fetch_one(&mut *file).await?;
        let Some(last) = last else { break };
        let add = sqlx::query(AssertSqlSafe(add.clone())).bind(rows);
        let added = add.execute(&mut *server).await;
        added.map_err(|error| CopyError::NotTaken {
            table,
            after,
            last,
            cause: error.to_string(),
        })?;
        after = last;
    }
    for (counter, _) in columns.iter().filter(|(_, counts)| counts == "YES") {
        count_on(file, server, table, counter).await?;
    }
    Ok(())
}

/// Sets the counter of a column above every number that it ever gave, also to rows that were removed.
async fn count_on(
    file: &mut Connection,
    server: &mut AnyConnection,
    table: &str,
    counter: &str,
) -> Result<(), CopyError> {
    let highest = format!(
        "SELECT max(number) FROM (SELECT coalesce(max({counter}), 0) AS number FROM {table}
         UNION ALL SELECT seq FROM sqlite_sequence WHERE name = '{table}') AS numbers"
    );
    let highest = sqlx::query_scalar::<_, i64>(AssertSqlSafe(highest));
    let highest = highest.fetch_one(file).await?;
    let set = format!(
        "SELECT setval(pg_get_serial_sequence('{table}', '{counter}'), greatest($1, 1), $1 > 0)"
    );
    let set = sqlx::query(AssertSqlSafe(set)).bind(highest);
    set.execute(server).await?;
    Ok(())
}
