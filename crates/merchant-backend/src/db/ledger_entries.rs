//! The tables of the ledger: all their rows of an operation, or of an order, by one statement.

use super::columns::{Columns, key};
use super::engine::{Connection, Engine, Row};
use super::error::DbError;
use super::{manual_returns, refund_attempts, refund_watches, refunds, reversals};
use payment_rules::ledger::LedgerEntries;
use payment_rules::operation::OperationKey;
use serde_json::{Map, Value};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};
use std::collections::HashMap;

/// What is loaded.
#[derive(Clone, Copy)]
pub(super) enum Of<'a> {
    Operation(&'a OperationKey),
    /// Every operation of the order with this id.
    Order(&'a str),
}

impl<'a> Of<'a> {
    fn condition(self) -> &'static str {
        match self {
            Self::Operation(_) => "o.merchant_code = $1 AND o.merchant_operation_number = $2",
            Self::Order(_) => "o.order_id = $1",
        }
    }

    /// Binds the first parameters of a statement.
    pub(super) fn bind(self, query: BoundQuery<'a>) -> BoundQuery<'a> {
        match self {
            Self::Operation(key) => query
                .bind(key.merchant_code.as_str())
                .bind(key.number.as_str()),
            Self::Order(order_id) => query.bind(order_id),
        }
    }
}

type BoundQuery<'a> = Query<'a, Any, AnyArguments>;

/// Every table of the ledger, with its columns, and the instant and the number of a row that sort its
/// entries. A watch is the only row of its operation, and its table numbers none.
const TABLES: [(&str, &str, &str, &str); 5] = [
    (
        "refund_attempts",
        refund_attempts::COLUMNS,
        "t.requested_at",
        "t.rowid",
    ),
    ("refunds", refunds::COLUMNS, "0", "t.rowid"),
    ("manual_returns", manual_returns::COLUMNS, "t.at", "t.rowid"),
    ("reversals", reversals::COLUMNS, "0", "t.rowid"),
    ("refund_watches", refund_watches::COLUMNS, "0", "0"),
];

/// The entries of each ledger. An operation without an entry is not in the map.
pub(super) async fn entries(
    connection: &mut Connection,
    of: Of<'_>,
) -> Result<HashMap<OperationKey, LedgerEntries>, DbError> {
    let sql = statement(Engine::of(connection), of);
    let query = of.bind(sqlx::query(AssertSqlSafe(sql)));
    let mut all: HashMap<OperationKey, LedgerEntries> = HashMap::new();
    for row in query.fetch_all(connection).await? {
        let entries = all.entry(key(&row)?).or_default();
        let entry = Entry::read(&row)?;
        match row.text("entry_of")?.as_str() {
            "refund_attempts" => entries.attempts.push(refund_attempts::read(&entry)?),
            "refunds" => entries.refunds.push(refunds::read(&entry)?),
            "manual_returns" => entries.returns.push(manual_returns::read(&entry)?),
            "reversals" => entries.reversals.push(reversals::read(&entry)?),
            _ => entries.watch = refund_watches::read(&entry)?,
        }
    }
    Ok(all)
}

/// Tables of different columns fit into one statement because each row arrives as a JSON object.
pub(super) fn statement(engine: Engine, of: Of<'_>) -> String {
    let object = engine.json_object();
    let condition = of.condition();
    let part = |(table, columns, instant, number): (&str, &str, &str, &str)| {
        let pairs: Vec<String> = columns
            .split(',')
            .map(|column| format!("'{0}', t.{0}", column.trim()))
            .collect();
        let pairs = pairs.join(", ");
        format!(
            "SELECT '{table}' AS entry_of, o.merchant_code, o.merchant_operation_number,
                 CAST({object}({pairs}) AS TEXT) AS entry, {instant} AS entered_at,
                 {number} AS entry_number
             FROM operations o JOIN {table} t ON t.merchant_code = o.merchant_code
                 AND t.merchant_operation_number = o.merchant_operation_number
             WHERE {condition}"
        )
    };
    let parts = TABLES.map(part).join(" UNION ALL ");
    format!("{parts} ORDER BY entered_at, entry_number")
}

/// A row that arrived as a JSON object.
struct Entry(Map<String, Value>);

impl Entry {
    fn read(row: &Row) -> Result<Self, DbError> {
        let entry = row.try_get::<String, _>("entry")?;
        Ok(Self(serde_json::from_str(&entry)?))
    }

    /// The value of a column; `None` for NULL.
    fn value<'a, T>(
        &'a self,
        column: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, DbError> {
        match self.0.get(column) {
            None => Err(DbError::missing(column)),
            Some(Value::Null) => Ok(None),
            Some(value) => match read(value) {
                None => Err(DbError::Failed(format!("{column} has another type"))),
                read => Ok(read),
            },
        }
    }
}

impl Columns for Entry {
    fn optional_text(&self, column: &str) -> Result<Option<String>, DbError> {
        let text = self.value(column, Value::as_str)?;
        Ok(text.map(str::to_owned))
    }

    fn optional_integer(&self, column: &str) -> Result<Option<i64>, DbError> {
        self.value(column, Value::as_i64)
    }
}
