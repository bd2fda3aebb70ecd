//! Loads an order with all its payments, or one ledger. An order takes three statements, whatever its number
//! of rows.

use super::columns::{Columns, instant, key, optional_instant};
use super::connections::Db;
use super::engine::{Connection, Engine, ROW_ID, Row};
use super::error::DbError;
use super::refund_tables::{
    ATTEMPT_COLUMNS, REFUND_COLUMNS, WATCH_COLUMNS, read_attempt, read_refund, read_watch,
};
use super::return_and_reversal_tables::{
    RETURN_COLUMNS, REVERSAL_COLUMNS, read_return, read_reversal,
};
use super::{operations, orders};
use payment_model::Timestamp;
use payment_rules::ledger::{Ledger, LedgerEntries};
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::order::{FullOrderId, OrderFacts};
use payment_rules::payment::{BlockReleaseRecord, Order, Payment};
use serde_json::{Map, Value};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};
use staff_model::ExceptionKind;
use std::collections::HashMap;

/// Loads the order of an operation, or the one with a key. The transaction must be one that sees one
/// state, or has locked the order.
pub(super) async fn load(
    connection: &mut Connection,
    of: LoadBy<'_>,
) -> Result<Option<Order>, DbError> {
    let columns = orders::COLUMNS;
    let sql = format!(
        "SELECT {columns}, purged_at, (SELECT at FROM fence) AS fence,
             (SELECT closed_at FROM closed_orders closed WHERE closed.order_id = orders.order_id
                 AND closed.merchant_code = orders.merchant_code) AS closed_at
         FROM orders
         WHERE merchant_code = $1 AND order_id = {}",
        match of {
            LoadBy::Operation(_) => {
                "(SELECT order_id FROM operations
                  WHERE merchant_code = $1 AND merchant_operation_number = $2)"
            }
            LoadBy::Order(_) => "$2",
        }
    );
    let query = of.bind(sqlx::query(AssertSqlSafe(sql)));
    let Some(row) = query.fetch_optional(&mut *connection).await? else {
        return Ok(None);
    };
    let facts = orders::read(&row)?;
    let fence = optional_instant(&row, "fence")?;
    let operations = operations(&mut *connection, &facts).await?;
    let order = facts.full_id();
    let mut entries = ledger_entries(connection, LoadBy::Order(&order)).await?;
    let payments = operations.into_iter().map(|loaded| {
        let entries = entries.remove(&loaded.operation.key).unwrap_or_default();
        let ledger = Ledger::new(&loaded.operation, entries);
        Payment {
            ledger: Ledger {
                awaits_comparison: loaded.awaits_comparison(fence),
                ..ledger
            },
            operation: loaded.operation,
            block_release: loaded.block_release,
        }
    });
    Ok(Some(Order {
        fence,
        closed_at: optional_instant(&row, "closed_at")?,
        payer_is_forgotten: optional_instant(&row, "purged_at")?.is_some(),
        ..Order::new(facts, payments.collect())
    }))
}

/// An operation of an order.
struct Loaded {
    operation: OperationRecord,
    /// The release of the block that it causes now.
    block_release: Option<BlockReleaseRecord>,
    /// The start of the exception *restored* that staff resolved, if they did.
    compared_since: Option<Timestamp>,
}

impl Loaded {
    /// True for an operation from before the fence that staff have not confirmed.
    fn awaits_comparison(&self, fence: Option<Timestamp>) -> bool {
        fence.is_some_and(|fence| {
            let is_compared = self.compared_since.is_some_and(|since| since >= fence);
            self.operation.created_at < fence && !is_compared
        })
    }
}

/// The operations of an order, the oldest first.
async fn operations(
    connection: &mut Connection,
    order: &OrderFacts,
) -> Result<Vec<Loaded>, DbError> {
    let columns = operations::COLUMNS;
    let sql = format!(
        "SELECT {columns}, block_asked_by, block_asked_at, block_reason, block_released_by,
             block_released_at,
             (SELECT x.since FROM resolved_exceptions x
                 WHERE x.merchant_code = operations.merchant_code AND x.kind = $3
                     AND x.merchant_operation_number = operations.merchant_operation_number
             ) AS compared_since
         FROM operations LEFT JOIN (SELECT merchant_code AS block_code,
                 merchant_operation_number AS block_number, blocked_since AS block_since,
                 asked_by AS block_asked_by, asked_at AS block_asked_at, reason AS block_reason,
                 released_by AS block_released_by, released_at AS block_released_at
                 FROM block_releases) AS block
             ON block_code = merchant_code AND block_number = merchant_operation_number
                 AND block_since = blocked_since
         WHERE order_id = $1 AND merchant_code = $2 ORDER BY created_at, {ROW_ID}"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(&order.order_id)
        .bind(&order.merchant_code)
        .bind(ExceptionKind::Restored.as_str())
        .fetch_all(connection)
        .await?;
    let read = |row| {
        Ok(Loaded {
            operation: operations::read(row)?,
            block_release: block_release(row)?,
            compared_since: optional_instant(row, "compared_since")?,
        })
    };
    rows.iter().map(read).collect()
}

fn block_release(row: &Row) -> Result<Option<BlockReleaseRecord>, DbError> {
    let Some(asked_by) = row.optional_text("block_asked_by")? else {
        return Ok(None);
    };
    let released_by = row.optional_text("block_released_by")?;
    let released_at = optional_instant(row, "block_released_at")?;
    Ok(Some(BlockReleaseRecord {
        blocked_since: instant(row, "blocked_since")?,
        asked_by,
        asked_at: instant(row, "block_asked_at")?,
        reason: row.text("block_reason")?,
        released: released_by.zip(released_at),
    }))
}

impl Db {
    /// An order with everything about its payments.
    pub(crate) async fn order_with_payments(
        &self,
        order: &FullOrderId,
    ) -> Result<Option<Order>, DbError> {
        let mut transaction = self.read().await?;
        let order = load(&mut transaction, LoadBy::Order(order)).await?;
        transaction.commit().await?;
        Ok(order)
    }

    /// The ledger of one operation; `None` if there is no such operation.
    pub(crate) async fn ledger(&self, key: &OperationKey) -> Result<Option<Ledger>, DbError> {
        // One transaction, since otherwise an attempt could be read without its refund.
        let mut transaction = self.read().await?;
        let Some(operation) = operations::find(&mut transaction, key).await? else {
            return Ok(None);
        };
        let mut entries = ledger_entries(&mut transaction, LoadBy::Operation(key)).await?;
        let entries = entries.remove(key).unwrap_or_default();
        Ok(Some(Ledger::new(&operation, entries)))
    }
}

/// What to load the ledgers of.
#[derive(Clone, Copy)]
pub(super) enum LoadBy<'a> {
    Operation(&'a OperationKey),
    /// Every operation of the order.
    Order(&'a FullOrderId),
}

impl<'a> LoadBy<'a> {
    fn condition(self) -> &'static str {
        match self {
            Self::Operation(_) => "o.merchant_code = $1 AND o.merchant_operation_number = $2",
            Self::Order(_) => "o.merchant_code = $1 AND o.order_id = $2",
        }
    }

    /// Binds the first parameters of a statement.
    pub(super) fn bind(self, query: BoundQuery<'a>) -> BoundQuery<'a> {
        match self {
            Self::Operation(key) => query
                .bind(key.merchant_code.as_str())
                .bind(key.number.as_str()),
            Self::Order(order) => query.bind(&order.merchant_code).bind(&order.order_id),
        }
    }
}

type BoundQuery<'a> = Query<'a, Any, AnyArguments>;

/// Every table of the ledger, with its columns, and the instant and the number of a row that sort its
/// entries. A watch is the only row of its operation, and its table numbers none.
const TABLES: [(&str, &str, &str, &str); 5] = [
    (
        "refund_attempts",
        ATTEMPT_COLUMNS,
        "t.requested_at",
        "t.rowid",
    ),
    ("refunds", REFUND_COLUMNS, "0", "t.rowid"),
    ("manual_returns", RETURN_COLUMNS, "t.at", "t.rowid"),
    ("reversals", REVERSAL_COLUMNS, "0", "t.rowid"),
    ("refund_watches", WATCH_COLUMNS, "0", "0"),
];

/// The entries of each ledger. An operation without an entry is not in the map.
pub(super) async fn ledger_entries(
    connection: &mut Connection,
    of: LoadBy<'_>,
) -> Result<HashMap<OperationKey, LedgerEntries>, DbError> {
    let sql = ledger_statement(Engine::of(connection), of);
    let query = of.bind(sqlx::query(AssertSqlSafe(sql)));
    let mut all: HashMap<OperationKey, LedgerEntries> = HashMap::new();
    for row in query.fetch_all(connection).await? {
        let entries = all.entry(key(&row)?).or_default();
        let entry = Entry::read(&row)?;
        match row.text("entry_of")?.as_str() {
            "refund_attempts" => entries.attempts.push(read_attempt(&entry)?),
            "refunds" => entries.refunds.push(read_refund(&entry)?),
            "manual_returns" => entries.returns.push(read_return(&entry)?),
            "reversals" => entries.reversals.push(read_reversal(&entry)?),
            _ => entries.watch = read_watch(&entry)?,
        }
    }
    Ok(all)
}

/// Tables of different columns fit into one statement because each row arrives as a JSON object.
pub(super) fn ledger_statement(engine: Engine, of: LoadBy<'_>) -> String {
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
