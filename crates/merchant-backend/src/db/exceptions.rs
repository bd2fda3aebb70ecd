//! Exceptions, read from the present rows of the other tables.

use super::columns::{instant, millis};
use super::engine::{Connection, Engine, ROW_ID, Row, list};
use super::error::DbError;
use crate::clock::now;
use crate::domain::operation::{BLOCK_LISTED, HELD_LISTED, UNACCEPTED_LISTED};
use payment_model::Timestamp;
use sqlx::{AssertSqlSafe, Row as _};
use staff_model::ExceptionKind;

/// The longest list: more exceptions than staff work through.
const MOST: i64 = 500;

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

/// Every exception, each by a branch of its own that an index answers. `$1` is the instant before
/// which a payment has to be settled by now; `{only}` limits it to some operations; `{now}` is
/// the present, from which the times until something is listed count; `engine` names the other
/// placeholders.
const FOUND: &str = "
    SELECT o.{id} AS id, 'in_doubt' AS kind, o.created_at AS since, coalesce(o.trouble, '') AS detail
        FROM operations o WHERE o.phase = 'in_doubt' {only}
    UNION ALL
    SELECT o.{id}, 'mismatch', o.changed_at, o.mismatch
        FROM operations o WHERE o.mismatch IS NOT NULL {only}
    UNION ALL
    SELECT o.{id}, 'paid_twice', o.changed_at, ''
        FROM {orders}
        WHERE r.paid_twice = 1 AND o.outcome = 'paid' {only}
            AND o.amount > (SELECT {total} FROM given_back g
                WHERE g.promised = 0 AND g.merchant_code = o.merchant_code
                    AND g.merchant_operation_number = o.merchant_operation_number)
            AND EXISTS (SELECT 1 FROM operations other WHERE other.order_id = o.order_id
                AND other.{id} <> o.{id} AND other.outcome = 'paid'
                AND other.amount > (SELECT {total} FROM given_back g
                    WHERE g.promised = 0 AND g.merchant_code = other.merchant_code
                        AND g.merchant_operation_number = other.merchant_operation_number))
    UNION ALL
    SELECT o.{id}, 'paid_late', o.paid_late_at, ''
        FROM operations o WHERE o.paid_late_at IS NOT NULL AND o.outcome = 'paid' {only}
    UNION ALL
    SELECT o.{id}, 'not_settled', o.changed_at, ''
        FROM operations o WHERE o.state = 'AUTORIZADO' AND o.changed_at < $1 {only}
    UNION ALL
    SELECT o.{id}, 'blocked', o.blocked_since, ''
        FROM operations o WHERE o.blocked_since <= {now} - {blocked} AND o.live = 1 {only}
    UNION ALL
    SELECT o.{id}, 'number_taken', o.number_taken_at, coalesce(o.trouble, '')
        FROM operations o WHERE o.number_taken_at IS NOT NULL {only}
    UNION ALL
    SELECT o.{id}, 'refund_unknown', min(a.requested_at), max(a.detail)
        FROM refund_attempts a JOIN operations o ON o.merchant_code = a.merchant_code
            AND o.merchant_operation_number = a.merchant_operation_number
        WHERE a.state = 'in_doubt' {only} GROUP BY o.{id}
    UNION ALL
    SELECT o.{id}, 'refund_unknown', max(a.changed_at), max(a.detail)
        FROM refund_attempts a JOIN operations o ON o.merchant_code = a.merchant_code
            AND o.merchant_operation_number = a.merchant_operation_number
        WHERE a.state = 'registered' AND a.released_by IS NOT NULL {only} GROUP BY o.{id}
    UNION ALL
    SELECT o.{id}, 'reversal_unknown', v.begun_at, v.detail
        FROM reversals v JOIN operations o ON o.merchant_code = v.merchant_code
            AND o.merchant_operation_number = v.merchant_operation_number
        WHERE v.state = 'in_doubt'
            AND NOT (v.purpose = 'settle_doubt' AND o.phase = 'in_doubt') {only}
    UNION ALL
    SELECT o.{id}, 'return_unreserved', max(m.at), 'of ' || o.amount || ' cents, '
            || {returned} || ' cents were given back by hand before anybody reserved them'
        FROM manual_returns m JOIN operations o ON o.merchant_code = m.merchant_code
            AND o.merchant_operation_number = m.merchant_operation_number
        WHERE m.already_made = 1 AND m.state <> 'given_up' {only} GROUP BY o.{id}, o.amount
    UNION ALL
    SELECT o.{id}, 'given_back_beyond', e.since, e.detail
        FROM excesses e JOIN operations o ON o.merchant_code = e.merchant_code
            AND o.merchant_operation_number = e.merchant_operation_number
        WHERE true {only}
    UNION ALL
    SELECT o.{id}, 'statement_differs', d.since, d.detail
        FROM differences d JOIN operations o ON o.merchant_code = d.merchant_code
            AND o.merchant_operation_number = d.merchant_operation_number
        WHERE true {only}
    UNION ALL
    SELECT o.{id}, 'contradicted', o.contradicted_at, o.contradiction
        FROM operations o WHERE o.contradicted_at IS NOT NULL {only}
    UNION ALL
    SELECT o.{id}, 'payment_held', o.changed_at, ''
        FROM operations o WHERE o.outcome = 'paid' AND o.announced_at IS NULL
            AND o.changed_at <= {now} - {held} {only}
    UNION ALL
    SELECT o.{id}, 'not_accepted', o.unaccepted_since, ''
        FROM operations o WHERE o.unaccepted_since <= {now} - {unaccepted} {only}
    UNION ALL
    SELECT o.{id}, 'restored', {fence}, ''
        FROM {restored} {only}";

/// Operations from before a restore whose state is not known since: for the list.
const UNSURE: &str = "(SELECT f.at AS since, o.{id} AS number
            FROM fence f CROSS JOIN operations o {in_doubt}
            WHERE o.created_at < f.at AND o.phase = 'in_doubt'
        UNION SELECT f.at, o.{id} FROM fence f CROSS JOIN operations o {due}
            WHERE o.due_at IS NOT NULL AND o.leased_until IS NULL AND o.created_at < f.at
                AND o.phase = 'known' AND (o.outcome IS NULL OR o.outcome = 'paid')
                AND (o.queried_at IS NULL OR o.queried_at < f.at OR o.failures > 0)
        UNION SELECT f.at, o.{id} FROM fence f CROSS JOIN manual_returns m CROSS JOIN operations o
            WHERE o.merchant_code = m.merchant_code
                AND o.merchant_operation_number = m.merchant_operation_number
                AND m.state = 'open' AND o.created_at < f.at) AS unsure
        CROSS JOIN operations o WHERE o.{id} = unsure.number";

/// For one operation: everything that staff may have to confirm before they give something back.
const UNCONFIRMED: &str = "operations o CROSS JOIN fence f WHERE o.created_at < f.at
        AND o.phase NOT IN ('refused', 'lost') AND (o.outcome IS NULL OR o.outcome = 'paid')";

/// Exceptions that nobody has resolved; a doubt cannot be resolved by hand. `CROSS JOIN` has SQLite
/// begin with the few exceptions, and not with the many operations.
const UNRESOLVED: &str = "
    SELECT f.id, f.kind, f.since, f.detail FROM ({found}) f CROSS JOIN operations p
    WHERE p.{id} = f.id AND NOT EXISTS (SELECT 1 FROM resolved_exceptions x WHERE x.merchant_code = p.merchant_code
        AND x.merchant_operation_number = p.merchant_operation_number
        AND x.kind = f.kind AND x.since >= f.since)";

/// The text of [`all`], for a test that looks at its plan.
pub(super) fn of_all(engine: Engine) -> AssertSqlSafe<String> {
    let (code, texts) = (engine.unindexed("o.merchant_code"), engine.texts(3));
    let only = format!("AND {code} IN {texts}");
    let rest = " ORDER BY f.since, f.id LIMIT $2";
    let restored = ("unsure.since", UNSURE);
    statement(
        engine,
        engine.paid_twice_first(),
        restored,
        &only,
        "$4",
        rest,
    )
}

/// The text of [`of`].
pub(super) fn of_some(engine: Engine) -> AssertSqlSafe<String> {
    let only = format!("AND o.{ROW_ID} IN {}", engine.numbers(2));
    let rest = " ORDER BY f.since, f.id";
    let restored = ("f.at", UNCONFIRMED);
    statement(
        engine,
        engine.operations_first(),
        restored,
        &only,
        "$3",
        rest,
    )
}

fn statement(
    engine: Engine,
    orders: &str,
    (fence, restored): (&str, &str),
    only: &str,
    now: &str,
    rest: &str,
) -> AssertSqlSafe<String> {
    // The text consists of constants alone.
    let sql = UNRESOLVED.replace("{found}", FOUND) + rest;
    let sql = sql
        .replace("{fence}", fence)
        .replace("{restored}", restored);
    let sql = sql.replace("{orders}", orders).replace("{only}", only);
    let (in_doubt, due) = ("operations_in_doubt", "operations_due");
    let sql = sql
        .replace("{in_doubt}", &engine.indexed_by(in_doubt))
        .replace("{due}", &engine.indexed_by(due));
    let sql = sql
        .replace("{now}", now)
        .replace("{blocked}", &millis(BLOCK_LISTED).to_string())
        .replace("{held}", &millis(HELD_LISTED).to_string())
        .replace("{unaccepted}", &millis(UNACCEPTED_LISTED).to_string())
        .replace("{id}", ROW_ID);
    let sql = sql.replace("{returned}", &engine.total_as_text("m.amount"));
    AssertSqlSafe(sql.replace("{total}", &engine.total("g.amount")))
}

/// The exceptions under some merchant codes, the oldest first.
pub(super) async fn all(
    connection: &mut Connection,
    among: &[String],
    unsettled_since: Timestamp,
) -> Result<Vec<Found>, DbError> {
    let rows = sqlx::query(of_all(Engine::of(connection)))
        .bind(unsettled_since.as_millis())
        .bind(MOST)
        .bind(list(among)?)
        .bind(now().as_millis())
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
    let rows = sqlx::query(of_some(Engine::of(connection)))
        .bind(unsettled_since.as_millis())
        .bind(list(ids)?)
        .bind(now().as_millis())
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

fn read(row: &Row) -> Result<Found, DbError> {
    let kind: String = row.try_get("kind")?;
    Ok(Found {
        operation: row.try_get("id")?,
        exception: FoundException {
            kind: ExceptionKind::from_word(&kind).unwrap_or(ExceptionKind::Unknown),
            since: instant(row, "since")?,
            detail: row.try_get("detail")?,
        },
    })
}
