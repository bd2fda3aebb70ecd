//! The exceptions that staff see: found in the present rows of other tables, or flagged in a table of their
//! own when they are noticed; and how staff resolve them.

use super::audit;
use super::columns::instant;
use super::connections::Db;
use super::engine::{Connection, Engine, ROW_ID, Row, list};
use super::error::DbError;
use super::exception_sources::{FOUND, Source, UNCONFIRMED, UNSURE};
use super::lock::Lock;
use crate::clock::now;
use payment_model::Timestamp;
use payment_rules::ledger::{REFUND_LISTED_AFTER, RETURN_LISTED_AFTER};
use payment_rules::operation::{
    BLOCK_LISTED_AFTER, HELD_PAYMENT_LISTED_AFTER, OperationKey, UNANSWERED_LISTED_AFTER,
};
use payment_rules::planted_mistakes::{Mistake, planted};
use payment_rules::staff::AuditRecord;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};
use staff_model::{ExceptionCount, ExceptionKind, ResolveException};

/// The longest list of one kind, so that many exceptions of one kind do not hide those of another.
const MAX_LISTED_PER_KIND: i64 = 100;

/// An exception of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundException {
    pub(crate) kind: ExceptionKind,
    pub(crate) since: Timestamp,
    pub(crate) detail: String,
}

/// An exception with the row of its operation.
#[derive(Debug)]
pub(super) struct ExceptionRow {
    pub(super) operation: i64,
    pub(super) exception: FoundException,
}

/// The found exceptions that staff have not resolved; a doubt cannot be resolved by hand. `CROSS JOIN` has
/// SQLite begin with the few exceptions, and not with the many operations.
const UNRESOLVED: &str = "({found}) f CROSS JOIN operations p
    WHERE p.{id} = f.id AND NOT EXISTS (SELECT 1 FROM resolved_exceptions x
        WHERE x.merchant_code = p.merchant_code
            AND x.merchant_operation_number = p.merchant_operation_number
            AND x.kind = f.kind AND x.since >= f.since)";

const COLUMNS: &str = "f.id, f.place, f.kind, f.since, f.detail";

/// The parts in which the statements differ.
struct StatementParts {
    orders: &'static str,
    fence: &'static str,
    restored: &'static str,
    only: String,
}

impl StatementParts {
    fn of_all(engine: Engine) -> Self {
        let (code, texts) = (engine.unindexed("o.merchant_code"), engine.texts(7));
        Self {
            orders: engine.paid_twice_first(),
            fence: "unsure.since",
            restored: UNSURE,
            only: format!("AND {code} IN {texts}"),
        }
    }

    fn of_some(engine: Engine) -> Self {
        Self {
            orders: engine.operations_first(),
            fence: "f.at",
            restored: UNCONFIRMED,
            only: format!("AND o.{ROW_ID} IN {}", engine.numbers(7)),
        }
    }

    /// Fills the placeholders of a statement; it has no text from outside.
    fn filled(&self, engine: Engine, sql: &str) -> AssertSqlSafe<String> {
        let mut sql = sql
            .replace("{orders}", self.orders)
            .replace("{fence}", self.fence)
            .replace("{restored}", self.restored)
            .replace("{only}", &self.only);
        // The conditions of the partial indexes.
        for table in ["a", "v"] {
            sql = sql.replace(
                &format!("{{open_state {table}}}"),
                &format!("{table}.state IN ('sending', 'in_doubt')"),
            );
        }
        for table in ["a", "b", "d", "m", "t", "v"] {
            sql = sql.replace(
                &format!("{{of_operation {table}}}"),
                &format!(
                    "JOIN operations o ON o.merchant_code = {table}.merchant_code
                        AND o.merchant_operation_number = {table}.merchant_operation_number"
                ),
            );
        }
        let number = engine.text_of_event("e.body", "merchant_operation_number");
        let sql = sql
            .replace("{in_doubt}", &engine.indexed_by("operations_in_doubt"))
            .replace("{due}", &engine.indexed_by("operations_due"))
            .replace("{open}", &engine.indexed_by("manual_returns_open"))
            .replace("{event_number}", &number)
            .replace("{returned}", &engine.total_as_text("m.amount"))
            .replace("{total}", &engine.total("g.amount"))
            .replace("{id}", ROW_ID);
        AssertSqlSafe(sql)
    }
}

/// The SELECT of one source; its place in the list is its urgency.
fn found_in(place: usize, source: &Source) -> String {
    let Source {
        kind,
        since,
        detail,
        rows,
    } = source;
    let kind = kind.as_str();
    format!(
        "SELECT o.{{id}} AS id, {place} AS place, '{kind}' AS kind, {since} AS since,
             {detail} AS detail FROM {rows}"
    )
}

fn found_in_all() -> String {
    let sources = FOUND.iter().enumerate();
    let found: Vec<String> = sources
        .map(|(place, source)| found_in(place, source))
        .collect();
    UNRESOLVED.replace("{found}", &found.join(" UNION ALL "))
}

/// The text of [`all`], for a test that looks at its plan.
pub(super) fn all_statement(engine: Engine) -> AssertSqlSafe<String> {
    let sources = FOUND.iter().enumerate();
    let lists: Vec<String> = sources
        .map(|(place, source)| {
            let unresolved = UNRESOLVED.replace("{found}", &found_in(place, source));
            format!(
                "SELECT * FROM (SELECT {COLUMNS} FROM {unresolved}
                     ORDER BY f.since, f.id LIMIT $8) AS list_{place}"
            )
        })
        .collect();
    let sql = lists.join(" UNION ALL ") + " ORDER BY place, since, id";
    StatementParts::of_all(engine).filled(engine, &sql)
}

/// The text of [`of`].
pub(super) fn some_statement(engine: Engine) -> AssertSqlSafe<String> {
    let found = found_in_all();
    let sql = format!("SELECT {COLUMNS} FROM {found} ORDER BY f.place, f.since, f.id");
    StatementParts::of_some(engine).filled(engine, &sql)
}

/// The text of [`counts`].
pub(super) fn counts_statement(engine: Engine) -> AssertSqlSafe<String> {
    let found = found_in_all();
    let sql = format!(
        "SELECT f.kind, min(f.place) AS place, count(*) AS count FROM {found}
         GROUP BY f.kind ORDER BY place"
    );
    StatementParts::of_all(engine).filled(engine, &sql)
}

/// The exceptions under some merchant codes, the most urgent kinds first, and of each kind the
/// oldest; no more than [`MAX_LISTED_PER_KIND`] of each.
pub(super) async fn all(
    connection: &mut Connection,
    among: &[String],
    unsettled_since: Timestamp,
) -> Result<Vec<ExceptionRow>, DbError> {
    let sql = all_statement(Engine::of(connection));
    let rows = asked(sql, list(among)?, unsettled_since)
        .bind(MAX_LISTED_PER_KIND)
        .fetch_all(connection)
        .await?;
    let most = if planted(Mistake::ExceptionListIsCut) {
        1
    } else {
        rows.len()
    };
    rows.iter().take(most).map(read).collect()
}

/// The exceptions of some operations, by their rows.
pub(super) async fn of(
    connection: &mut Connection,
    ids: &[i64],
    unsettled_since: Timestamp,
) -> Result<Vec<ExceptionRow>, DbError> {
    let sql = some_statement(Engine::of(connection));
    let rows = asked(sql, list(ids)?, unsettled_since)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// How many exceptions there are under some merchant codes, of each kind that there is.
pub(super) async fn counts(
    connection: &mut Connection,
    among: &[String],
    unsettled_since: Timestamp,
) -> Result<Vec<ExceptionCount>, DbError> {
    let sql = counts_statement(Engine::of(connection));
    let rows = asked(sql, list(among)?, unsettled_since)
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| {
            Ok(ExceptionCount {
                kind: kind(row)?,
                count: row.try_get::<i64, _>("count")?.cast_unsigned(),
            })
        })
        .collect()
}

fn asked(
    sql: AssertSqlSafe<String>,
    list: String,
    unsettled_since: Timestamp,
) -> Query<'static, Any, AnyArguments> {
    let now = now();
    let since = |age| now.saturating_sub(age).as_millis();
    sqlx::query(sql)
        .bind(unsettled_since.as_millis())
        .bind(since(BLOCK_LISTED_AFTER))
        .bind(since(RETURN_LISTED_AFTER))
        .bind(since(REFUND_LISTED_AFTER))
        .bind(since(HELD_PAYMENT_LISTED_AFTER))
        .bind(since(UNANSWERED_LISTED_AFTER))
        .bind(list)
}

fn kind(row: &Row) -> Result<ExceptionKind, DbError> {
    let word: String = row.try_get("kind")?;
    Ok(ExceptionKind::from_word(&word).unwrap_or(ExceptionKind::Unknown))
}

fn read(row: &Row) -> Result<ExceptionRow, DbError> {
    Ok(ExceptionRow {
        operation: row.try_get("id")?,
        exception: FoundException {
            kind: kind(row)?,
            since: instant(row, "since")?,
            detail: row.try_get("detail")?,
        },
    })
}

/// A table of exceptions that are flagged when they are noticed, with a detail.
#[derive(Debug, Clone, Copy)]
pub(super) enum FlagTable {
    /// More was given back than is paid.
    Excess,
    /// A statement of the payment service differs from the operation.
    Difference,
}

impl FlagTable {
    fn table(self) -> &'static str {
        match self {
            Self::Excess => "excesses",
            Self::Difference => "differences",
        }
    }
}

/// Flags an operation with a detail, or removes its flag with `None`. Another detail makes it a new
/// exception, even after staff resolved the first one.
pub(super) async fn set_flag(
    connection: &mut Connection,
    table: FlagTable,
    key: &OperationKey,
    detail: Option<&str>,
) -> Result<(), DbError> {
    let table = table.table();
    let sql = if detail.is_some() {
        format!(
            "INSERT INTO {table} (merchant_code, merchant_operation_number, since, detail)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (merchant_code, merchant_operation_number) DO UPDATE SET
                 since = excluded.since, detail = excluded.detail
                 WHERE {table}.detail <> excluded.detail"
        )
    } else {
        format!("DELETE FROM {table} WHERE merchant_code = $1 AND merchant_operation_number = $2")
    };
    let (code, number) = (key.merchant_code.as_str(), key.number.as_str());
    let mut statement = sqlx::query(AssertSqlSafe(sql)).bind(code).bind(number);
    if let Some(detail) = detail {
        statement = statement.bind(now().as_millis()).bind(detail);
    }
    statement.execute(connection).await?;
    Ok(())
}

impl Db {
    /// Takes an exception with this beginning off the list, and writes the audit record, in one
    /// transaction.
    pub(crate) async fn resolve(
        &self,
        key: &OperationKey,
        wanted: &ResolveException,
        since: Timestamp,
        record: &AuditRecord,
        now: Timestamp,
    ) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::Operation(key)).await?;
        resolve(&mut transaction, key, wanted, since, &record.staff, now).await?;
        audit::add(&mut transaction, record).await?;
        transaction.commit().await
    }
}

async fn resolve(
    connection: &mut Connection,
    key: &OperationKey,
    wanted: &ResolveException,
    since: Timestamp,
    staff: &str,
    now: Timestamp,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO resolved_exceptions (merchant_code, merchant_operation_number, kind, since,
             staff, at, reason) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (merchant_code, merchant_operation_number, kind) DO UPDATE SET
             since = excluded.since, staff = excluded.staff, at = excluded.at, reason = excluded.reason",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(wanted.kind.as_str())
    .bind(since.as_millis())
    .bind(staff)
    .bind(now.as_millis())
    .bind(wanted.reason.trim())
    .execute(connection)
    .await?;
    Ok(())
}
