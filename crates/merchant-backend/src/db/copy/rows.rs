//! Rows of any table, as values that both engines keep alike.

use super::digest::{Summing, TableDigest};
use super::error::CopyError;
use super::tables::Shape;
use super::value::Value;
use crate::db::engine::{Connection, ROW_ID, Row};
use sqlx::{AssertSqlSafe, Row as _};
use tokio_stream::StreamExt as _;

/// Rows that go in one statement, which takes 65535 values at the most.
const BATCH: usize = 200;

/// Copies the rows of a table from a file, and sums them up.
pub(super) async fn copy(
    from: &mut Connection,
    to: &mut Connection,
    shape: &Shape,
) -> Result<TableDigest, CopyError> {
    let table = shape.table.name;
    // The last column finds a row for a message.
    let (list, order) = (shape.list(), shape.order(""));
    let sql = format!("SELECT {list}, {ROW_ID} AS found FROM {table} ORDER BY {order}");
    let mut found = sqlx::query(AssertSqlSafe(sql)).fetch(from);
    let mut summing = Summing::new(shape);
    let mut batch = Vec::with_capacity(BATCH);
    while let Some(row) = found.next().await {
        let row = read(&row?, shape)?;
        summing.add(&row);
        batch.push(row);
        if batch.len() == BATCH {
            add(to, shape, &mut batch).await?;
        }
    }
    if !batch.is_empty() {
        add(to, shape, &mut batch).await?;
    }
    Ok(summing.end())
}

/// Sums the rows of a table of a server up.
pub(super) async fn sum(
    connection: &mut Connection,
    shape: &Shape,
) -> Result<TableDigest, CopyError> {
    let (list, table) = (shape.list(), shape.table.name);
    let order = shape.order(" COLLATE \"C\"");
    let sql = format!("SELECT {list}, CAST(0 AS bigint) AS found FROM {table} ORDER BY {order}");
    let mut found = sqlx::query(AssertSqlSafe(sql)).fetch(connection);
    let mut summing = Summing::new(shape);
    while let Some(row) = found.next().await {
        summing.add(&read(&row?, shape)?);
    }
    Ok(summing.end())
}

fn read(row: &Row, shape: &Shape) -> Result<Vec<Value>, CopyError> {
    let table = shape.table.name;
    let number: i64 = row.try_get("found")?;
    let mut values = Vec::with_capacity(shape.columns.len());
    for (place, column) in shape.columns.iter().enumerate() {
        let value = if column.is_text {
            row.try_get(place).map(Value::Text)
        } else {
            row.try_get(place).map(Value::Number)
        };
        let value = value.map_err(|error| CopyError::Unreadable {
            table,
            column: column.name.clone(),
            row: number,
            cause: error.to_string(),
        })?;
        if matches!(&value, Value::Text(Some(text)) if text.contains('\0')) {
            return Err(CopyError::NoText {
                table,
                column: column.name.clone(),
                row: number,
            });
        }
        values.push(value);
    }
    Ok(values)
}

async fn add(
    to: &mut Connection,
    shape: &Shape,
    batch: &mut Vec<Vec<Value>>,
) -> Result<(), CopyError> {
    let (list, table) = (shape.list(), shape.table.name);
    let mut number = 0_usize;
    let mut next = || {
        number = number.saturating_add(1);
        format!("${number}")
    };
    let places = batch.iter().map(|row| {
        let places: Vec<String> = row.iter().map(|_| next()).collect();
        format!("({})", places.join(", "))
    });
    let places: Vec<String> = places.collect();
    let sql = format!("INSERT INTO {table} ({list}) VALUES {}", places.join(", "));
    // Two lengths of a table are not worth a place among the prepared statements.
    let mut query = sqlx::query(AssertSqlSafe(sql)).persistent(false);
    for value in batch.drain(..).flatten() {
        query = match value {
            Value::Text(text) => query.bind(text),
            Value::Number(number) => query.bind(number),
        };
    }
    let added = query.execute(to).await;
    added.map(drop).map_err(|error| CopyError::NotTaken {
        table,
        cause: error.to_string(),
    })
}
