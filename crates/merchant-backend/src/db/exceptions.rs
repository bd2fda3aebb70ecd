//! Exceptions, read from the present rows of the other tables.

use super::columns::instant;
use super::engine::{Connection, Engine, ROW_ID, Row, list};
use super::error::DbError;
use crate::clock::now;
use crate::domain::ledger::{REFUND_LISTED, RETURN_LISTED};
use crate::domain::operation::{BLOCK_LISTED, HELD_LISTED, UNACCEPTED_LISTED};
use payment_model::Timestamp;
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

/// Where exceptions of a kind are found: since when, with which detail, and in which rows.
struct Source {
    kind: ExceptionKind,
    since: &'static str,
    detail: &'static str,
    rows: &'static str,
}

const fn source(
    kind: ExceptionKind,
    since: &'static str,
    detail: &'static str,
    rows: &'static str,
) -> Source {
    Source {
        kind,
        since,
        detail,
        rows,
    }
}

/// Every exception, those first that may cost money soonest; an index answers each. `$1` is the
/// instant before which a payment has to be settled by now, `$2` to `$6` are the instants since
/// which a blocked order, a reserved return, an open refund, a payment that is not announced and
/// answers that are not accepted are listed; `{only}` limits it to
/// some operations.
const FOUND: &[Source] = &[
    source(
        ExceptionKind::PaidTwice,
        "o.changed_at",
        "''",
        "{orders} WHERE r.paid_twice = 1 AND o.outcome = 'paid' {only}
            AND o.amount > (SELECT {total} FROM given_back g
                WHERE g.promised = 0 AND g.merchant_code = o.merchant_code
                    AND g.merchant_operation_number = o.merchant_operation_number)
            AND EXISTS (SELECT 1 FROM operations other WHERE other.order_id = o.order_id
                AND other.{id} <> o.{id} AND other.outcome = 'paid'
                AND other.amount > (SELECT {total} FROM given_back g
                    WHERE g.promised = 0 AND g.merchant_code = other.merchant_code
                        AND g.merchant_operation_number = other.merchant_operation_number))",
    ),
    source(
        ExceptionKind::GivenBackBeyond,
        "b.since",
        "b.detail",
        "excesses b {of_operation b} WHERE true {only}",
    ),
    source(
        ExceptionKind::Mismatch,
        "o.mismatch_at",
        "o.mismatch",
        "operations o WHERE o.mismatch IS NOT NULL {only}",
    ),
    source(
        ExceptionKind::PaymentHeld,
        "o.changed_at",
        "''",
        "operations o WHERE o.outcome = 'paid' AND o.announced_at IS NULL
             AND o.changed_at <= $5 {only}",
    ),
    source(
        ExceptionKind::Contradicted,
        "o.contradicted_at",
        "o.contradiction",
        "operations o WHERE o.contradicted_at IS NOT NULL {only}",
    ),
    source(
        ExceptionKind::ReversalUnknown,
        "v.begun_at",
        "v.detail",
        "reversals v {of_operation v} WHERE {open_state v} AND v.state = 'in_doubt'
            AND NOT (v.purpose = 'settle_doubt' AND o.phase = 'in_doubt') {only}",
    ),
    source(
        ExceptionKind::RefundUnknown,
        "min(a.requested_at)",
        "max(a.detail)",
        "refund_attempts a {of_operation a}
            WHERE {open_state a} AND a.state = 'in_doubt' {only} GROUP BY o.{id}",
    ),
    source(
        ExceptionKind::RefundUnknown,
        "max(a.changed_at)",
        "max(a.detail)",
        "refund_attempts a {of_operation a}
            WHERE a.state = 'registered' AND a.released_by IS NOT NULL {only} GROUP BY o.{id}",
    ),
    source(
        ExceptionKind::InDoubt,
        // An index in the order of time would have every operation.
        "o.created_at + 0",
        "coalesce(o.trouble, '')",
        "operations o WHERE o.phase = 'in_doubt' {only}",
    ),
    source(
        ExceptionKind::PaidLate,
        "o.paid_late_at",
        "''",
        "operations o WHERE o.paid_late_at IS NOT NULL AND o.outcome = 'paid' {only}",
    ),
    source(
        ExceptionKind::ReturnOpen,
        "min(m.at)",
        "{returned} || ' cents are reserved to be given back by hand, or wait for a second person'",
        "manual_returns m {of_operation m} WHERE m.state = 'open'
            AND (m.already_made = 1 OR m.at <= $3) {only} GROUP BY o.{id}",
    ),
    source(
        ExceptionKind::ReturnUnreserved,
        "max(m.at)",
        "'of ' || o.amount || ' cents, ' || {returned}
            || ' cents were given back by hand before anybody reserved them'",
        "manual_returns m {of_operation m}
            WHERE m.already_made = 1 AND m.state <> 'given_up' {only} GROUP BY o.{id}, o.amount",
    ),
    source(
        ExceptionKind::StatementDiffers,
        "d.since",
        "d.detail",
        "differences d {of_operation d} WHERE true {only}",
    ),
    source(
        ExceptionKind::NotAccepted,
        "o.unaccepted_since",
        "''",
        "operations o WHERE o.unaccepted_since <= $6 {only}",
    ),
    source(
        ExceptionKind::Blocked,
        "o.blocked_since",
        "''",
        "operations o WHERE o.blocked_since <= $2 AND o.live = 1 {only}",
    ),
    source(
        ExceptionKind::NumberTaken,
        "o.number_taken_at",
        "coalesce(o.trouble, '')",
        "operations o WHERE o.number_taken_at IS NOT NULL {only}",
    ),
    // With the usual pauses the tenth delivery fails more than an hour after the first one.
    source(
        ExceptionKind::EventRefused,
        "e.created_at",
        "e.type || ' was sent ' || e.failures || ' times, and the shop did not accept it'",
        "events e JOIN operations o ON o.order_id = e.order_id
                AND o.merchant_operation_number = {event_number}
            WHERE e.delivered_at IS NULL AND e.failures >= 10 {only}",
    ),
    source(
        ExceptionKind::RefundStuck,
        "max(t.changed_at)",
        "max('refund ' || t.refund_id || ' is ' || t.state)",
        "refunds t {of_operation t} WHERE t.counts = 1 AND t.state <> 'RESOLVED'
            AND (t.state = 'REJECTED' OR t.changed_at <= $4) {only} GROUP BY o.{id}",
    ),
    source(
        ExceptionKind::Restored,
        "{fence}",
        "''",
        "{restored} {only}",
    ),
    source(
        ExceptionKind::NotSettled,
        "o.changed_at",
        "''",
        "operations o WHERE o.state = 'AUTORIZADO' AND o.changed_at < $1 {only}",
    ),
];

/// Operations from before a restore whose state is not known since: for the list.
const UNSURE: &str = "(SELECT f.at AS since, o.{id} AS number
            FROM fence f CROSS JOIN operations o {in_doubt}
            WHERE o.created_at < f.at AND o.phase = 'in_doubt'
        UNION SELECT f.at, o.{id} FROM fence f CROSS JOIN operations o {due}
            WHERE o.due_at IS NOT NULL AND o.leased_until IS NULL AND o.created_at < f.at
                AND o.phase = 'known' AND (o.outcome IS NULL OR o.outcome = 'paid')
                AND (o.queried_at IS NULL OR o.queried_at < f.at OR o.failures > 0)
        UNION SELECT f.at, o.{id} FROM fence f CROSS JOIN manual_returns m {open} CROSS JOIN operations o
            WHERE o.merchant_code = m.merchant_code
                AND o.merchant_operation_number = m.merchant_operation_number
                AND m.state = 'open' AND o.created_at < f.at) AS unsure
        CROSS JOIN operations o WHERE o.{id} = unsure.number";

/// For one operation: everything that staff may have to confirm before they give something back.
const UNCONFIRMED: &str = "operations o CROSS JOIN fence f WHERE o.created_at < f.at
        AND o.phase NOT IN ('refused', 'lost') AND (o.outcome IS NULL OR o.outcome = 'paid')";

/// What nobody has resolved of what was found; a doubt cannot be resolved by hand. `CROSS JOIN` has
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
        .bind(since(BLOCK_LISTED))
        .bind(since(RETURN_LISTED))
        .bind(since(REFUND_LISTED))
        .bind(since(HELD_LISTED))
        .bind(since(UNACCEPTED_LISTED))
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
