//! The rows of all tables. They travel as JSON, which keeps every value that the schema allows.

use super::error::CopyError;
use crate::db::engine::{Connection, ROW_ID};
use sqlx::AssertSqlSafe;

/// Every table, each after those that it refers to.
pub(super) const TABLES: [&str; 21] = [
    "orders",
    "order_numbers",
    "order_sessions",
    "idempotency_keys",
    "events",
    "operations",
    "transaction_hints",
    "refund_attempts",
    "refunds",
    "refund_watches",
    "manual_returns",
    "reversals",
    "excesses",
    "differences",
    "block_releases",
    "resolved_exceptions",
    "staff_sessions",
    "audit",
    "readiness",
    "node_commits",
    "fence",
];

/// Rows that go in one statement.
const BATCH_ROWS: i64 = 500;

/// The number of rows of each table.
pub(crate) type Counts = Vec<(&'static str, i64)>;

pub(super) async fn counts(connection: &mut Connection) -> Result<Counts, CopyError> {
    let mut counts = Counts::with_capacity(TABLES.len());
    for table in TABLES {
        let count = AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
        let count = sqlx::query_scalar(count).fetch_one(&mut *connection);
        counts.push((table, count.await?));
    }
    Ok(counts)
}

/// Copies the rows of a table from a file to a server.
pub(super) async fn copy(
    file: &mut Connection,
    server: &mut Connection,
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

/// Sets the counter of a column above every number that it gave, also to rows that were removed.
async fn count_on(
    file: &mut Connection,
    server: &mut Connection,
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
