//! Lists the exceptions that staff see: the rows of `exceptions`, and those that other facts than those of their payment
//! decide.

use super::columns::instant;
use super::engine::{Connection, Engine, ROW_ID, Row, list};
use super::error::DbError;
use super::requests::OPEN;
use crate::clock::now;
use payment_model::Timestamp;
use payment_rules::payment::{BY_URGENCY, FoundException};
use payment_rules::planted_mistakes::{Mistake, planted};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};
use staff_model::{ExceptionCount, ExceptionKind};

/// The longest list of one kind, so that many exceptions of one kind do not hide those of another.
const MAX_LISTED_PER_KIND: i64 = 100;

/// An exception with the row of its operation.
#[derive(Debug)]
pub(super) struct ExceptionRow {
    pub(super) operation: i64,
    pub(super) exception: FoundException,
}

/// Exceptions that other facts than those of their payment decide: since when, with which detail, and in which rows.
struct Source {
    kind: ExceptionKind,
    since: &'static str,
    detail: &'static str,
    rows: &'static str,
}

/// An index answers each. `$1` is the instant before which a payment has to be settled by now; `{only}` limits it to some
/// operations.
const OTHERS: [Source; 4] = [
    // With the usual pauses the tenth delivery fails more than an hour after the first one.
    Source {
        kind: ExceptionKind::EventRefused,
        since: "min(e.created_at)",
        detail: "max(e.type || ' was sent to the receiver ' || d.receiver || ' ' || d.failures
            || ' times, and was not accepted')",
        rows: "deliveries d JOIN events e ON e.seq = d.event_seq
                JOIN operations o ON o.merchant_code = e.merchant_code
                    AND o.merchant_operation_number = {event_number}
            WHERE d.delivered_at IS NULL AND d.failures >= 10 {only} GROUP BY o.{id}",
    },
    // A receiver that answered 410 is an exception of the order of that event.
    Source {
        kind: ExceptionKind::EventRefused,
        since: "min(s.stopped_at)",
        detail: "max('the receiver ' || s.name || ' answered 410 to ' || e.type
            || ' and gets nothing until `event resume --receiver ' || s.name || '`')",
        rows: "event_receivers s CROSS JOIN events e CROSS JOIN operations o
            WHERE s.stopped_at IS NOT NULL AND e.seq = s.stopped_seq AND o.merchant_code = e.merchant_code
                AND o.merchant_operation_number = {event_number} {only} GROUP BY o.{id}",
    },
    Source {
        kind: ExceptionKind::Restored,
        since: "{fence}",
        detail: "''",
        rows: "{restored} {only}",
    },
    // The time is a setting of the server that asks.
    Source {
        kind: ExceptionKind::NotSettled,
        since: "o.changed_at",
        detail: "''",
        rows: "operations o WHERE o.state = 'AUTORIZADO' AND o.changed_at < $1 {only}",
    },
];

/// Operations from before a restore whose state is not known since: for the list.
const UNSURE: &str = "(SELECT f.at AS since, o.{id} AS number
            FROM fence f CROSS JOIN operations o {in_doubt}
            WHERE o.created_at < f.at AND o.phase = 'in_doubt'
        UNION SELECT f.at, o.{id} FROM fence f CROSS JOIN operations o {due}
            WHERE o.due_at IS NOT NULL AND o.leased_until IS NULL AND o.created_at < f.at
                AND o.phase = 'known' AND (o.outcome IS NULL OR o.outcome = 'paid')
                AND (o.queried_at IS NULL OR o.queried_at < f.at OR o.failures > 0)
        UNION SELECT f.at, o.{id} FROM fence f CROSS JOIN requests r {open} CROSS JOIN operations o
            WHERE o.merchant_code = r.merchant_code
                AND o.merchant_operation_number = r.merchant_operation_number
                AND {is_open} AND r.state = 'open' AND o.created_at < f.at) AS unsure
        CROSS JOIN operations o WHERE o.{id} = unsure.number";

/// For one operation: everything that staff may have to confirm before they give something back.
const UNCONFIRMED: &str = "operations o CROSS JOIN fence f WHERE o.created_at < f.at
        AND o.phase NOT IN ('refused', 'lost') AND (o.outcome IS NULL OR o.outcome = 'paid')";

/// The exceptions of payments. `$2` is now.
const OF_PAYMENTS: &str = "SELECT o.{id} AS id, x.kind, x.since, x.detail
    FROM {rows_of_payments}
    WHERE o.merchant_code = x.merchant_code
        AND o.merchant_operation_number = x.merchant_operation_number
        AND (x.listed_from IS NULL OR x.listed_from <= $2) {only}";

/// The parts in which the statements differ.
#[derive(Clone, Copy)]
enum Among {
    /// The operations under the merchant codes of the list `$3`.
    Codes,
    /// The operations in the rows of the list `$3`.
    Rows,
}

impl Among {
    /// Fills the placeholders of a statement; it has no text from outside.
    fn filled(self, engine: Engine, sql: &str) -> AssertSqlSafe<String> {
        let (fence, restored, rows_of_payments, only) = match self {
            Self::Codes => {
                let (code, texts) = (engine.unindexed("o.merchant_code"), engine.texts(3));
                let rows = "exceptions x CROSS JOIN operations o";
                (
                    "unsure.since",
                    UNSURE,
                    rows,
                    format!("AND {code} IN {texts}"),
                )
            }
            Self::Rows => {
                let rows = "operations o CROSS JOIN exceptions x";
                let numbers = engine.numbers(3);
                (
                    "f.at",
                    UNCONFIRMED,
                    rows,
                    format!("AND o.{ROW_ID} IN {numbers}"),
                )
            }
        };
        let number = engine.text_of_event("e.body", "merchant_operation_number");
        let sql = sql
            .replace("{fence}", fence)
            .replace("{restored}", restored)
            .replace("{rows_of_payments}", rows_of_payments)
            .replace("{only}", &only)
            .replace("{in_doubt}", &engine.indexed_by("operations_in_doubt"))
            .replace("{due}", &engine.indexed_by("operations_due"))
            .replace("{is_open}", OPEN)
            .replace("{open}", &engine.indexed_by("requests_open"))
            .replace("{event_number}", &number)
            .replace("{id}", ROW_ID);
        AssertSqlSafe(sql)
    }
}

/// A source's exceptions that staff have not resolved. `CROSS JOIN` has SQLite begin with the few exceptions, and not with
/// the many operations.
fn unresolved(source: &Source) -> String {
    let Source {
        kind,
        since,
        detail,
        rows,
    } = source;
    let kind = kind.as_str();
    format!(
        "SELECT f.id, f.kind, f.since, f.detail FROM (SELECT o.{{id}} AS id, '{kind}' AS kind,
                 {since} AS since, {detail} AS detail FROM {rows}) f CROSS JOIN operations p
             WHERE p.{{id}} = f.id AND NOT EXISTS (SELECT 1 FROM resolved_exceptions x
                 WHERE x.merchant_code = p.merchant_code
                     AND x.merchant_operation_number = p.merchant_operation_number
                     AND x.kind = f.kind AND x.since >= f.since)"
    )
}

fn found_in_all() -> String {
    let others = OTHERS.iter().map(unresolved);
    let parts: Vec<String> = std::iter::once(OF_PAYMENTS.to_owned())
        .chain(others)
        .collect();
    parts.join(" UNION ALL ")
}

/// The text of [`all`], for a test that looks at its plan.
pub(super) fn all_statement(engine: Engine) -> AssertSqlSafe<String> {
    let of_payments = format!(
        "SELECT id, kind, since, detail FROM (SELECT f.*, row_number()
             OVER (PARTITION BY kind ORDER BY since, id) AS place FROM ({OF_PAYMENTS}) AS f) AS found
         WHERE place <= $4"
    );
    let others = OTHERS
        .iter()
        .map(unresolved)
        .zip(1..)
        .map(|(found, number)| {
            format!("SELECT * FROM ({found} ORDER BY f.since, f.id LIMIT $4) AS list_{number}")
        });
    let lists: Vec<String> = std::iter::once(of_payments).chain(others).collect();
    let sql = lists.join(" UNION ALL ") + " ORDER BY since, id";
    Among::Codes.filled(engine, &sql)
}

/// The text of [`of`].
pub(super) fn some_statement(engine: Engine) -> AssertSqlSafe<String> {
    let found = found_in_all();
    let sql = format!("SELECT id, kind, since, detail FROM ({found}) AS found ORDER BY since, id");
    Among::Rows.filled(engine, &sql)
}

/// The text of [`counts`].
pub(super) fn counts_statement(engine: Engine) -> AssertSqlSafe<String> {
    let found = found_in_all();
    let sql =
        format!("SELECT kind, count(DISTINCT id) AS count FROM ({found}) AS found GROUP BY kind");
    Among::Codes.filled(engine, &sql)
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
    let mut found = by_urgency(&rows)?;
    if planted(Mistake::ExceptionListIsCut) {
        found.truncate(1);
    }
    Ok(found)
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
    by_urgency(&rows)
}

/// Counts the operations with an exception of each kind under some merchant codes; kinds without one are left out.
pub(super) async fn counts(
    connection: &mut Connection,
    among: &[String],
    unsettled_since: Timestamp,
) -> Result<Vec<ExceptionCount>, DbError> {
    let sql = counts_statement(Engine::of(connection));
    let rows = asked(sql, list(among)?, unsettled_since)
        .fetch_all(connection)
        .await?;
    let counted = |row: &Row| {
        Ok(ExceptionCount {
            kind: kind(row)?,
            count: row.try_get::<i64, _>("count")?.cast_unsigned(),
        })
    };
    let mut counts = rows
        .iter()
        .map(counted)
        .collect::<Result<Vec<_>, DbError>>()?;
    counts.sort_by_key(|counted| urgency(counted.kind));
    Ok(counts)
}

fn asked(
    sql: AssertSqlSafe<String>,
    list: String,
    unsettled_since: Timestamp,
) -> Query<'static, Any, AnyArguments> {
    sqlx::query(sql)
        .bind(unsettled_since.as_millis())
        .bind(now().as_millis())
        .bind(list)
}

/// The exceptions in these rows, which are in the order of time.
fn by_urgency(rows: &[Row]) -> Result<Vec<ExceptionRow>, DbError> {
    let read = |row: &Row| {
        Ok(ExceptionRow {
            operation: row.try_get("id")?,
            exception: FoundException {
                kind: kind(row)?,
                since: instant(row, "since")?,
                listed_from: None,
                detail: row.try_get("detail")?,
            },
        })
    };
    let mut found = rows.iter().map(read).collect::<Result<Vec<_>, DbError>>()?;
    found.sort_by_key(|found| urgency(found.exception.kind));
    Ok(one_of_each_kind(found))
}

/// Staff see one exception of each kind of an operation, which they resolve as a whole: it began with the newest one.
fn one_of_each_kind(found: Vec<ExceptionRow>) -> Vec<ExceptionRow> {
    let mut shown: Vec<ExceptionRow> = Vec::with_capacity(found.len());
    for one in found {
        let same = |other: &&mut ExceptionRow| {
            other.operation == one.operation && other.exception.kind == one.exception.kind
        };
        match shown.iter_mut().find(same) {
            None => shown.push(one),
            Some(other) => {
                let shown = &mut other.exception;
                shown.since = shown.since.max(one.exception.since);
                if !shown.detail.contains(&one.exception.detail) {
                    shown.detail = format!("{}; {}", shown.detail, one.exception.detail);
                }
            }
        }
    }
    shown
}

fn urgency(kind: ExceptionKind) -> usize {
    let mut kinds = BY_URGENCY.iter();
    kinds
        .position(|one| *one == kind)
        .unwrap_or(BY_URGENCY.len())
}

fn kind(row: &Row) -> Result<ExceptionKind, DbError> {
    let word: String = row.try_get("kind")?;
    Ok(ExceptionKind::from_word(&word).unwrap_or(ExceptionKind::Unknown))
}
