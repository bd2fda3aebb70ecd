//! `operations`: one row a payment. Its document has what the rules decide by
//! (`payment_rules::payment::Payment::to_document`); beside it are the columns that narrow statements write, and copies of
//! what lists and indexes search.

use super::columns::{key, number, optional_instant};
use super::due::planned_at;
use super::engine::{Connection, ROW_ID, Row};
use super::error::DbError;
use super::refund_watches::{WATCH, WATCH_COLUMNS, read_watch};
use super::{refund_watches, requests};
use payment_model::{Outcome, Timestamp};
use payment_rules::ledger::RefundPollPlan;
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::order::FullOrderId;
use payment_rules::payment::{EXCEPTIONS_VERSION, Payment, Plan};
use sqlx::{AssertSqlSafe, Row as _};

/// The columns that [`read_operation`] reads. They are named, as in every statement: PostgreSQL runs none of a
/// connection again whose columns became others, and a newer version may add one at any time.
pub(super) const COLUMNS: &str = "document, queried_at, hinted_at, due_at, failures, version";

fn plan(row: &Row, watch: RefundPollPlan) -> Result<Plan, DbError> {
    Ok(Plan {
        queried_at: optional_instant(row, "queried_at")?,
        hinted_at: optional_instant(row, "hinted_at")?,
        due_at: optional_instant(row, "due_at")?,
        failures: number(row, "failures")?,
        version: number(row, "version")?,
        watch,
    })
}

/// The operation of a payment, in a row of these [`COLUMNS`].
pub(super) fn read_operation(row: &Row) -> Result<OperationRecord, DbError> {
    let document: String = row.try_get("document")?;
    let payment = Payment::from_document(&document, plan(row, RefundPollPlan::default())?)?;
    Ok(payment.operation)
}

/// A payment, in a row of the statement that [`select`] begins.
pub(super) fn read(row: &Row) -> Result<Payment, DbError> {
    let document: String = row.try_get("document")?;
    Ok(Payment::from_document(
        &document,
        plan(row, read_watch(row)?)?,
    )?)
}

/// A statement about whole payments, with these further columns.
pub(super) fn select(further: &str, which: &str) -> String {
    format!(
        "SELECT {COLUMNS}, {WATCH_COLUMNS}{further} FROM operations LEFT JOIN {WATCH} WHERE {which}"
    )
}

pub(super) async fn find(
    connection: &mut Connection,
    key: &OperationKey,
) -> Result<Option<Payment>, DbError> {
    let sql = select("", "merchant_code = $1 AND merchant_operation_number = $2");
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// The operations of an order, the oldest first.
pub(super) async fn operations_of(
    connection: &mut Connection,
    order: &FullOrderId,
) -> Result<Vec<OperationRecord>, DbError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM operations WHERE order_id = $1 AND merchant_code = $2
         ORDER BY created_at, {ROW_ID}"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(&order.order_id)
        .bind(&order.merchant_code)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_operation).collect()
}

/// The operations whose request left before an instant and was not answered.
pub(super) async fn with_sending(
    connection: &mut Connection,
    sent_before: Timestamp,
) -> Result<Vec<OperationKey>, DbError> {
    let rows = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM operations
         WHERE phase = 'sending' AND created_at < $1",
    )
    .bind(sent_before.as_millis())
    .fetch_all(connection)
    .await?;
    rows.iter().map(key).collect()
}

/// Saves what a change made of a payment.
///
/// # Errors
/// [`DbError::NumberTaken`] when a new payment has the number of one that exists.
pub(super) async fn save(
    connection: &mut Connection,
    earlier: Option<&Payment>,
    payment: &Payment,
) -> Result<(), DbError> {
    let known_watch = earlier.map(|one| one.ledger.watch).unwrap_or_default();
    if known_watch != payment.ledger.watch {
        refund_watches::save(connection, &payment.operation.key, &payment.ledger.watch).await?;
    }
    if earlier.is_some_and(|earlier| earlier.differs_only_in_watch(payment)) {
        return Ok(());
    }
    let known = earlier.filter(|one| one.operation.is_attempt_of(&payment.operation));
    match known {
        Some(known) => write(connection, known, payment).await?,
        None => add(connection, payment).await?,
    }
    requests::save(connection, earlier, payment).await
}

/// The value of a column.
enum Cell {
    Text(Option<String>),
    Integer(Option<i64>),
}

fn text(value: impl Into<String>) -> Cell {
    Cell::Text(Some(value.into()))
}

fn words(value: Option<&str>) -> Cell {
    Cell::Text(value.map(str::to_owned))
}

fn flag(value: bool) -> Cell {
    Cell::Integer(Some(i64::from(value)))
}

fn instant(value: Option<Timestamp>) -> Cell {
    Cell::Integer(value.map(Timestamp::as_millis))
}

type Cells = Vec<(&'static str, Cell)>;

fn key_cells(key: &OperationKey) -> Cells {
    vec![
        ("merchant_code", text(key.merchant_code.as_str())),
        ("merchant_operation_number", text(key.number.as_str())),
    ]
}

/// The document, and the copies of what is searched.
fn cells(earlier: Option<&Payment>, payment: &Payment) -> Result<Cells, DbError> {
    let record = &payment.operation;
    let id = record.transaction_id().map(|id| id.as_str());
    let mut cells = vec![
        ("order_id", text(&*record.order_id)),
        ("document", text(payment.to_document(earlier)?)),
        ("phase", text(record.phase.as_str())),
        ("live", flag(record.live)),
        ("method_name", text(record.method.as_str())),
        ("amount", Cell::Integer(Some(record.amount.cast_signed()))),
        ("currency", text(&*record.currency)),
        ("callback_hash", text(&*record.callback_hash)),
        ("created_at", instant(Some(record.created_at))),
        ("changed_at", instant(Some(record.changed_at))),
        ("transaction_id", words(id)),
        ("state", words(record.state().map(|state| state.as_str()))),
        ("outcome", words(record.outcome().map(Outcome::as_str))),
        ("qr_id", Cell::Text(record.payers_number("qr_id"))),
        ("cip", Cell::Text(record.payers_number("cip"))),
        ("unsent", flag(record.unsent)),
        ("may_be_paid", flag(record.may_be_paid())),
        ("finished", flag(payment.is_finished())),
    ];
    // Only a reservation is held to the amount: what the service or staff tell may be more.
    if payment.reserves_more_than(earlier) {
        let gone = i64::try_from(payment.gone()).unwrap_or(i64::MAX);
        cells.push(("gone", Cell::Integer(Some(gone))));
    }
    Ok(cells)
}

/// What narrow statements write, too.
fn plan_cells(record: &OperationRecord) -> Cells {
    vec![
        ("queried_at", instant(record.queried_at)),
        ("hinted_at", instant(record.hinted_at)),
        ("failures", Cell::Integer(Some(i64::from(record.failures)))),
        ("due_at", instant(record.due_at)),
        ("planned_at", instant(planned_at(record.due_at))),
    ]
}

async fn execute(connection: &mut Connection, sql: String, cells: Cells) -> Result<u64, DbError> {
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for (_, cell) in cells {
        query = match cell {
            Cell::Text(value) => query.bind(value),
            Cell::Integer(value) => query.bind(value),
        };
    }
    Ok(query.execute(connection).await?.rows_affected())
}

/// Adds a payment as a new row, or over an earlier attempt whose request never left and whose number it has.
pub(super) async fn add(connection: &mut Connection, payment: &Payment) -> Result<(), DbError> {
    let mut all = key_cells(&payment.operation.key)
        .into_iter()
        .chain(cells(None, payment)?)
        .chain(plan_cells(&payment.operation))
        .collect::<Cells>();
    all.push((
        "exceptions_version",
        Cell::Integer(Some(i64::from(EXCEPTIONS_VERSION))),
    ));
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let places: Vec<String> = (1..=all.len()).map(|place| format!("${place}")).collect();
    let set: Vec<String> = names
        .iter()
        .map(|name| format!("{name} = excluded.{name}"))
        .collect();
    let sql = format!(
        "INSERT INTO operations ({}, order_label)
         VALUES ({}, (SELECT label FROM orders WHERE order_id = $3 AND merchant_code = $1))
         ON CONFLICT (merchant_code, merchant_operation_number) DO UPDATE SET {},
             gone = excluded.gone, leased_until = NULL, version = operations.version + 1
         WHERE operations.unsent = 1 AND operations.phase = 'refused'
             AND operations.transaction_id IS NULL AND operations.order_id = excluded.order_id",
        names.join(", "),
        places.join(", "),
        set.join(", ")
    );
    match execute(connection, sql, all).await? {
        0 => Err(DbError::NumberTaken),
        _ => Ok(()),
    }
}

/// Writes a payment over its row. The version is for the day on which a change did not lock the order: what another one
/// has written is not lost.
async fn write(
    connection: &mut Connection,
    earlier: &Payment,
    payment: &Payment,
) -> Result<(), DbError> {
    let mut all = key_cells(&payment.operation.key);
    let version = earlier.operation.version.cast_signed();
    all.push(("version", Cell::Integer(Some(version))));
    let mut set = vec!["version = version + 1".to_owned()];
    for (name, cell) in cells(Some(earlier), payment)? {
        all.push((name, cell));
        set.push(format!("{name} = ${}", all.len()));
    }
    // A plan that another statement has written meanwhile stays, unless this change made one.
    if !earlier.operation.has_plan_of(&payment.operation) {
        let mut due = 0;
        for (name, cell) in plan_cells(&payment.operation) {
            all.push((name, cell));
            let place = all.len();
            if name == "due_at" {
                due = place;
            }
            set.push(match name {
                // Another plan ends the lease; the same one is as old as it was.
                "planned_at" => format!(
                    "leased_until = CASE WHEN due_at IS NOT DISTINCT FROM ${due} THEN leased_until END,
                     planned_at = CASE WHEN due_at IS NOT DISTINCT FROM ${due} THEN planned_at
                         ELSE ${place} END"
                ),
                _ => format!("{name} = ${place}"),
            });
        }
    }
    let sql = format!(
        "UPDATE operations SET {}
         WHERE merchant_code = $1 AND merchant_operation_number = $2 AND version = $3",
        set.join(", ")
    );
    match execute(connection, sql, all).await? {
        0 => Err(DbError::Changing),
        _ => Ok(()),
    }
}
