//! Lists of operations, by whatever support is told.

use super::{DbError, exceptions};
use crate::clock::Millis;
use crate::domain::search::{Cursor, Search};
use payment_model::{PaymentMethodName, TransactionState};
use serde_json::Value;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, SqliteConnection};
use staff_model::{OperationRow, Phase};

/// What of an operation stands in a list: never what the service answered as a whole.
const COLUMNS: &str = "SELECT o.rowid AS id, o.merchant_code, o.merchant_operation_number,
    o.order_id, o.transaction_id, o.method_name, o.phase, o.state, o.outcome, o.amount, o.currency,
    o.created_at, o.changed_at FROM operations o WHERE ";

/// A page of a search, and where the next one begins, if there is one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundPage {
    pub(crate) rows: Vec<OperationRow>,
    pub(crate) next: Option<Cursor>,
}

pub(super) async fn page(
    connection: &mut SqliteConnection,
    search: &Search,
    unsettled_since: Millis,
) -> Result<FoundPage, DbError> {
    let mut sql = statement(search);
    // One more than asked for tells whether there is another page.
    sql.push(" ORDER BY o.created_at DESC, o.rowid DESC LIMIT ");
    sql.push_bind(search.limit.saturating_add(1));
    let mut rows = sql.build().fetch_all(&mut *connection).await?;
    let limit = usize::try_from(search.limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = match rows.last().filter(|_| more) {
        Some(last) => Some(Cursor {
            created_at: last.try_get("created_at")?,
            place: last.try_get("id")?,
        }),
        None => None,
    };
    let rows = with_exceptions(connection, &rows, unsettled_since).await?;
    Ok(FoundPage { rows, next })
}

/// The operations with these rowids, in no order.
pub(super) async fn by_rowid(
    connection: &mut SqliteConnection,
    rowids: &[i64],
    unsettled_since: Millis,
) -> Result<Vec<(i64, OperationRow)>, DbError> {
    let mut sql = QueryBuilder::new(COLUMNS);
    sql.push("o.rowid IN (SELECT value FROM json_each(")
        .push_bind(serde_json::to_string(rowids)?)
        .push("))");
    let rows = sql.build().fetch_all(&mut *connection).await?;
    let ids: Vec<i64> = rows
        .iter()
        .map(|row| row.try_get("id"))
        .collect::<Result<_, _>>()?;
    let rows = with_exceptions(connection, &rows, unsettled_since).await?;
    Ok(ids.into_iter().zip(rows).collect())
}

/// The operations of an order, the oldest first, each with its rowid.
pub(super) async fn of_order(
    connection: &mut SqliteConnection,
    order_id: &str,
    unsettled_since: Millis,
) -> Result<Vec<(i64, OperationRow)>, DbError> {
    let mut sql = QueryBuilder::new(COLUMNS);
    sql.push("o.order_id = ").push_bind(order_id);
    sql.push(" ORDER BY o.created_at, o.rowid");
    let rows = sql.build().fetch_all(&mut *connection).await?;
    let ids: Vec<i64> = rows
        .iter()
        .map(|row| row.try_get("id"))
        .collect::<Result<_, _>>()?;
    let rows = with_exceptions(connection, &rows, unsettled_since).await?;
    Ok(ids.into_iter().zip(rows).collect())
}

/// What a search selects, up to its order.
pub(super) fn statement(search: &Search) -> QueryBuilder<sqlx::Sqlite> {
    let mut sql = QueryBuilder::new(COLUMNS);
    sql.push("1 = 1");
    if let Some(q) = &search.q {
        let columns = [
            "merchant_operation_number",
            "order_id",
            "transaction_id",
            "qr_id",
            "cip",
        ];
        sql.push(" AND (");
        for (at, column) in columns.into_iter().enumerate() {
            sql.push(if at == 0 { "o." } else { " OR o." });
            sql.push(column).push(" = ").push_bind(q.clone());
        }
        sql.push(")");
    }
    // The plus keeps the index by merchant code out: it would have every match sorted.
    sql.push(" AND +o.merchant_code IN (");
    let mut among = sql.separated(", ");
    for code in &search.among {
        among.push_bind(code.clone());
    }
    sql.push(")");
    if let Some(code) = &search.merchant_code {
        sql.push(" AND o.merchant_code = ").push_bind(code.clone());
    }
    // One word by itself is compared with, so that its index gives the order too.
    if let [state] = &*search.states {
        match state {
            Some(state) => sql.push(" AND o.state = ").push_bind(state.clone()),
            None => sql.push(" AND o.state IS NULL"),
        };
    } else if !search.states.is_empty() {
        let words: Vec<&String> = search.states.iter().flatten().collect();
        sql.push(" AND (o.state IN (SELECT value FROM json_each(")
            .push_bind(serde_json::json!(words).to_string())
            .push("))");
        if search.states.contains(&None) {
            sql.push(" OR o.state IS NULL");
        }
        sql.push(")");
    }
    if let [method] = &*search.methods {
        sql.push(" AND o.method_name = ").push_bind(method.clone());
    } else if !search.methods.is_empty() {
        sql.push(" AND o.method_name IN (SELECT value FROM json_each(")
            .push_bind(serde_json::json!(search.methods).to_string())
            .push("))");
    }
    let numbers = [
        ("o.created_at >= ", search.from),
        ("o.created_at < ", search.to),
        ("o.amount >= ", search.amount_min.map(u64::cast_signed)),
        ("o.amount <= ", search.amount_max.map(u64::cast_signed)),
    ];
    for (comparison, value) in numbers {
        if let Some(value) = value {
            sql.push(" AND ").push(comparison).push_bind(value);
        }
    }
    if let Some(after) = search.after {
        sql.push(" AND (o.created_at, o.rowid) < (")
            .push_bind(after.created_at)
            .push(", ")
            .push_bind(after.place)
            .push(")");
    }
    sql
}

async fn with_exceptions(
    connection: &mut SqliteConnection,
    rows: &[SqliteRow],
    unsettled_since: Millis,
) -> Result<Vec<OperationRow>, DbError> {
    let ids: Vec<i64> = rows
        .iter()
        .map(|row| row.try_get("id"))
        .collect::<Result<_, _>>()?;
    let found = exceptions::of(connection, &ids, unsettled_since).await?;
    rows.iter()
        .zip(&ids)
        .map(|(row, id)| {
            let mut operation = read(row)?;
            let own = found.iter().filter(|exception| exception.rowid == *id);
            operation.exceptions = own.map(|exception| exception.kind).collect();
            Ok(operation)
        })
        .collect()
}

fn read(row: &SqliteRow) -> Result<OperationRow, DbError> {
    let phase: String = row.try_get("phase")?;
    let method: String = row.try_get("method_name")?;
    let state: Option<String> = row.try_get("state")?;
    let outcome = row
        .try_get::<Option<String>, _>("outcome")?
        .map(Value::from);
    Ok(OperationRow {
        merchant_code: row.try_get("merchant_code")?,
        merchant_operation_number: row.try_get("merchant_operation_number")?,
        order_id: row.try_get("order_id")?,
        transaction_id: row.try_get("transaction_id")?,
        method_name: PaymentMethodName::from(method.as_str()),
        phase: Phase::from_word(&phase).unwrap_or(Phase::Unknown),
        state: state.map(|state| TransactionState::from(state.as_str())),
        outcome: outcome.map(serde_json::from_value).transpose()?,
        amount: row.try_get::<i64, _>("amount")?.cast_unsigned(),
        currency: row.try_get("currency")?,
        created_at: row.try_get("created_at")?,
        changed_at: row.try_get("changed_at")?,
        exceptions: Vec::new(),
    })
}
