//! Exceptions, read from the present rows of the other tables.

use super::columns::instant;
use super::engine::{Connection, Engine, ROW_ID, Row, list};
use super::error::DbError;
use super::exception_sources::{FOUND, Source, UNCONFIRMED, UNSURE};
use crate::clock::now;
use payment_model::Timestamp;
use payment_rules::ledger::{REFUND_LISTED_AFTER, RETURN_LISTED_AFTER};
use payment_rules::operation::{
    BLOCK_LISTED_AFTER, HELD_PAYMENT_LISTED_AFTER, UNACCEPTED_LISTED_AFTER,
};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};
use staff_model::{ExceptionCount, ExceptionKind};

/// The longest list of one kind: many of one kind hide none of another.
const MOST_OF_A_KIND: i64 = 100;

/// An exception of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundException {
    pub(crate) kind: ExceptionKind,
    pub(crate) since: Timestamp,
    pub(crate) detail: String,
}

/// An exception with the row of its operation.
#[derive(Debug)]
pub(super) struct Found {
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

/// The pieces in which the statements differ.
struct Asked {
    orders: &'static str,
    fence: &'static str,
    restored: &'static str,
    only: String,
}

impl Asked {
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

    /// The text of a statement, which consists of constants.
    fn filled(&self, engine: Engine, sql: &str) -> AssertSqlSafe<String> {
        let mut sql = sql
            .replace("{orders}", self.orders)
            .replace("{fence}", self.fence)
            .replace("{restored}", self.restored)
            .replace("{only}", &self.only);
        // The words of the partial indexes.
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
        let number = engine.json_text("e.body", "merchant_operation_number");
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

/// What is found in one source; its place is its urgency.
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
pub(super) fn of_all(engine: Engine) -> AssertSqlSafe<String> {
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
    Asked::of_all(engine).filled(engine, &sql)
}

/// The text of [`of`].
pub(super) fn of_some(engine: Engine) -> AssertSqlSafe<String> {
    let found = found_in_all();
    let sql = format!("SELECT {COLUMNS} FROM {found} ORDER BY f.place, f.since, f.id");
    Asked::of_some(engine).filled(engine, &sql)
}

/// The text of [`counts`].
pub(super) fn of_counts(engine: Engine) -> AssertSqlSafe<String> {
    let found = found_in_all();
    let sql = format!(
        "SELECT f.kind, min(f.place) AS place, count(*) AS count FROM {found}
         GROUP BY f.kind ORDER BY place"
    );
    Asked::of_all(engine).filled(engine, &sql)
}

/// The exceptions under some merchant codes, the most urgent kinds first, and of each kind the
/// oldest; no more than [`MOST_OF_A_KIND`] of each.
pub(super) async fn all(
    connection: &mut Connection,
    among: &[String],
    unsettled_since: Timestamp,
) -> Result<Vec<Found>, DbError> {
    let sql = of_all(Engine::of(connection));
    let rows = asked(sql, list(among)?, unsettled_since)
        .bind(MOST_OF_A_KIND)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The exceptions of some operations, by their rows.
pub(super) async fn of(
    connection: &mut Connection,
    ids: &[i64],
    unsettled_since: Timestamp,
) -> Result<Vec<Found>, DbError> {
    let sql = of_some(Engine::of(connection));
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
    let sql = of_counts(Engine::of(connection));
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
        .bind(since(UNACCEPTED_LISTED_AFTER))
        .bind(list)
}

fn kind(row: &Row) -> Result<ExceptionKind, DbError> {
    let word: String = row.try_get("kind")?;
    Ok(ExceptionKind::from_word(&word).unwrap_or(ExceptionKind::Unknown))
}

fn read(row: &Row) -> Result<Found, DbError> {
    Ok(Found {
        operation: row.try_get("id")?,
        exception: FoundException {
            kind: kind(row)?,
            since: instant(row, "since")?,
            detail: row.try_get("detail")?,
        },
    })
}
