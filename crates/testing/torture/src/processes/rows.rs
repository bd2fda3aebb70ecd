//! What the server's database says of money, read beside the server.

use crate::disk;
use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _};
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::timeout;

/// No look takes longer, unless a process that is halted holds a lock.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the rows are.
#[derive(Debug, Clone)]
pub(super) enum Database {
    /// A file of SQLite.
    File(PathBuf),
    /// A database of PostgreSQL.
    Server { address: String, name: String },
}

/// An operation in the server's database.
#[derive(Debug, Clone)]
pub(super) struct OperationRow {
    pub(super) number: String,
    pub(super) order_id: String,
    pub(super) phase: String,
    pub(super) is_live: bool,
    /// True when the order counts as paid.
    pub(super) order_is_paid: bool,
}

/// A request to give money back, or to end a code, in the server's database.
#[derive(Debug, Clone)]
pub(super) struct GivingRow {
    pub(super) number: String,
    pub(super) state: String,
    /// True for a refund, false for a cancellation or reversal.
    pub(super) is_refund: bool,
    /// True if its request left.
    pub(super) has_left: bool,
}

/// The rows that speak of money.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    pub(super) operations: Vec<OperationRow>,
    pub(super) givings: Vec<GivingRow>,
}

const OPERATIONS: &str = "SELECT merchant_operation_number, order_id, phase, CAST(live AS BIGINT),
        CAST(CASE WHEN orders.state = 'paid' THEN 1 ELSE 0 END AS BIGINT)
    FROM operations JOIN orders USING (order_id)";
const GIVINGS: &str = "SELECT merchant_operation_number, state,
        CAST(CASE WHEN kind = 'refund' THEN 1 ELSE 0 END AS BIGINT),
        CAST(CASE WHEN begun_at IS NULL THEN 0 ELSE 1 END AS BIGINT)
    FROM requests WHERE kind <> 'return'";

impl Rows {
    /// Reads the database beside the running server.
    pub(super) async fn read(database: &Database) -> Result<Self> {
        let address = match database {
            Database::File(file) => format!("sqlite://{}?mode=ro", file.display()),
            Database::Server { address, .. } => address.clone(),
        };
        timeout(PATIENCE, read_at(&address)).await?
    }

    /// Reads what a dead server left. A file is read from a copy, so that the next start finds it as it was. A
    /// database without tables has no rows.
    pub(super) async fn left_behind(database: &Database) -> Result<Self> {
        let read = match database {
            Database::Server { .. } => Self::read(database).await,
            Database::File(file) if !file.exists() => return Ok(Self::default()),
            Database::File(file) => {
                let copies = tempfile::tempdir()?;
                let copy = copies.path().join("copy");
                disk::write(disk::image(file)?, &copy)?;
                read_at(&format!("sqlite://{}", copy.display())).await
            }
        };
        match read {
            Err(error) if has_no_tables(&error) => Ok(Self::default()),
            read => read,
        }
    }

    /// True if the operation has a row.
    pub(super) fn knows(&self, number: &str) -> bool {
        self.operations.iter().any(|row| row.number == number)
    }
}

/// True for what both engines say of a table that is not there.
fn has_no_tables(error: &anyhow::Error) -> bool {
    let text = error.to_string();
    text.contains("no such table") || text.contains("does not exist")
}

async fn read_at(address: &str) -> Result<Rows> {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(address).await?;
    let operations = sqlx::query(OPERATIONS).fetch_all(&mut connection).await?;
    let givings = sqlx::query(GIVINGS).fetch_all(&mut connection).await?;
    connection.close().await?;
    let flag = |row: &AnyRow, column: usize| anyhow::Ok(row.try_get::<i64, _>(column)? == 1);
    let mut rows = Rows::default();
    for row in operations {
        rows.operations.push(OperationRow {
            number: row.try_get(0)?,
            order_id: row.try_get(1)?,
            phase: row.try_get(2)?,
            is_live: flag(&row, 3)?,
            order_is_paid: flag(&row, 4)?,
        });
    }
    for row in givings {
        rows.givings.push(GivingRow {
            number: row.try_get(0)?,
            state: row.try_get(1)?,
            is_refund: flag(&row, 2)?,
            has_left: flag(&row, 3)?,
        });
    }
    Ok(rows)
}

/// Removes a database of PostgreSQL, also one that is in use, by an address of another one.
pub(super) async fn drop_database(server: &str, name: &str) -> Result<()> {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(server).await?;
    let sql = format!("DROP DATABASE {name} WITH (FORCE)");
    let dropped = sqlx::raw_sql(AssertSqlSafe(sql));
    dropped.execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}
