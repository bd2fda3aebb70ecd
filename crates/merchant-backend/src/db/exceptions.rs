//! What is out of the ordinary, found in the tables as they are.

use super::DbError;
use crate::clock::{Millis, now};
use crate::domain::operation::{BLOCK_LISTED, OperationKey};
use sqlx::{AssertSqlSafe, Row, SqliteConnection};
use staff_model::{ExceptionKind, ResolveException};

/// The most that a list shows: more than anybody works through.
const MOST: u32 = 500;

/// An exception of an operation, whose row is read apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundException {
    pub(crate) rowid: i64,
    pub(crate) kind: ExceptionKind,
    pub(crate) since: Millis,
    pub(crate) detail: String,
}

/// Every exception, each by a branch of its own that an index answers. `?1` is since when a
/// payment has to be settled by now; `{only}` limits it to some operations; `{blocked}` is since when
/// an order has to be blocked to be listed.
const FOUND: &str = "
    SELECT o.rowid AS id, 'in_doubt' AS kind, o.created_at AS since, coalesce(o.trouble, '') AS detail
        FROM operations o WHERE o.phase = 'in_doubt' {only}
    UNION ALL
    SELECT o.rowid, 'mismatch', o.changed_at, o.mismatch
        FROM operations o WHERE o.mismatch IS NOT NULL {only}
    UNION ALL
    SELECT o.rowid, 'paid_twice', o.changed_at, ''
        FROM {orders} ON o.order_id = r.order_id
        WHERE r.paid_twice = 1 AND o.outcome = 'paid' {only}
            AND o.amount > (SELECT total(g.amount) FROM given_back g
                WHERE g.promised = 0 AND g.merchant_code = o.merchant_code
                    AND g.merchant_operation_number = o.merchant_operation_number)
            AND EXISTS (SELECT 1 FROM operations other WHERE other.order_id = o.order_id
                AND other.rowid <> o.rowid AND other.outcome = 'paid'
                AND other.amount > (SELECT total(g.amount) FROM given_back g
                    WHERE g.promised = 0 AND g.merchant_code = other.merchant_code
                        AND g.merchant_operation_number = other.merchant_operation_number))
    UNION ALL
    SELECT o.rowid, 'paid_late', o.paid_late_at, ''
        FROM operations o WHERE o.paid_late_at IS NOT NULL AND o.outcome = 'paid' {only}
    UNION ALL
    SELECT o.rowid, 'not_settled', o.changed_at, ''
        FROM operations o WHERE o.state = 'AUTORIZADO' AND o.changed_at < ?1 {only}
    UNION ALL
    SELECT o.rowid, 'blocked', o.blocked_since, ''
        FROM operations o WHERE o.blocked_since <= {blocked} AND o.live = 1 {only}
    UNION ALL
    SELECT o.rowid, 'number_taken', o.number_taken_at, coalesce(o.trouble, '')
        FROM operations o WHERE o.number_taken_at IS NOT NULL {only}
    UNION ALL
    SELECT o.rowid, 'refund_unknown', min(a.requested_at), max(a.detail)
        FROM refund_attempts a JOIN operations o ON o.merchant_code = a.merchant_code
            AND o.merchant_operation_number = a.merchant_operation_number
        WHERE a.state = 'in_doubt' {only} GROUP BY o.rowid
    UNION ALL
    SELECT o.rowid, 'refund_unknown', max(a.changed_at), max(a.detail)
        FROM refund_attempts a JOIN operations o ON o.merchant_code = a.merchant_code
            AND o.merchant_operation_number = a.merchant_operation_number
        WHERE a.state = 'registered' AND a.released_by IS NOT NULL {only} GROUP BY o.rowid
    UNION ALL
    SELECT o.rowid, 'reversal_unknown', v.begun_at, v.detail
        FROM reversals v JOIN operations o ON o.merchant_code = v.merchant_code
            AND o.merchant_operation_number = v.merchant_operation_number
        WHERE v.state = 'in_doubt'
            AND NOT (v.purpose = 'settle_doubt' AND o.phase = 'in_doubt') {only}
    UNION ALL
    SELECT o.rowid, 'return_unreserved', max(m.at), 'of ' || o.amount || ' cents, '
            || sum(m.amount) || ' cents were given back by hand before anybody reserved them'
        FROM manual_returns m JOIN operations o ON o.merchant_code = m.merchant_code
            AND o.merchant_operation_number = m.merchant_operation_number
        WHERE m.already_made = 1 {only} GROUP BY o.rowid
    UNION ALL
    SELECT o.rowid, 'given_back_beyond', e.since, e.detail
        FROM excesses e JOIN operations o ON o.merchant_code = e.merchant_code
            AND o.merchant_operation_number = e.merchant_operation_number
        WHERE true {only}";

/// Those that nobody has dealt with; a doubt cannot be declared settled.
const UNRESOLVED: &str = "
    SELECT f.id, f.kind, f.since, f.detail FROM ({found}) f JOIN operations p ON p.rowid = f.id
    WHERE NOT EXISTS (SELECT 1 FROM resolved_exceptions x WHERE x.merchant_code = p.merchant_code
        AND x.merchant_operation_number = p.merchant_operation_number
        AND x.kind = f.kind AND x.since >= f.since)";

/// The few orders first, when all of them are looked at; without being told, the many operations
/// would be.
const ORDERS_FIRST: &str = "orders r INDEXED BY orders_paid_twice CROSS JOIN operations o";
/// The few operations first, when it is about them.
const OPERATIONS_FIRST: &str = "operations o CROSS JOIN orders r";

/// The text of [`all`], for a test that looks at its plan.
pub(super) fn of_all() -> AssertSqlSafe<String> {
    let only = "AND +o.merchant_code IN (SELECT value FROM json_each(?3))";
    let rest = " ORDER BY f.since, f.id LIMIT ?2";
    statement(ORDERS_FIRST, only, "?4", rest)
}

/// The text of [`of`].
pub(super) fn of_some() -> AssertSqlSafe<String> {
    let only = "AND o.rowid IN (SELECT value FROM json_each(?2))";
    statement(OPERATIONS_FIRST, only, "?3", " ORDER BY f.since, f.id")
}

fn statement(orders: &str, only: &str, blocked: &str, rest: &str) -> AssertSqlSafe<String> {
    // Made of constants alone.
    let found = FOUND.replace("{orders}", orders).replace("{only}", only);
    let found = found.replace("{blocked}", blocked);
    AssertSqlSafe(UNRESOLVED.replace("{found}", &found) + rest)
}

/// Those under some merchant codes, the oldest first.
pub(super) async fn all(
    connection: &mut SqliteConnection,
    among: &[String],
    unsettled_since: Millis,
) -> Result<Vec<FoundException>, DbError> {
    let rows = sqlx::query(of_all())
        .bind(unsettled_since)
        .bind(MOST)
        .bind(serde_json::to_string(among)?)
        .bind(listed_since())
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// Those of some operations.
pub(super) async fn of(
    connection: &mut SqliteConnection,
    rowids: &[i64],
    unsettled_since: Millis,
) -> Result<Vec<FoundException>, DbError> {
    let rows = sqlx::query(of_some())
        .bind(unsettled_since)
        .bind(serde_json::to_string(rowids)?)
        .bind(listed_since())
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// Orders that are blocked since then, or for longer, are listed.
fn listed_since() -> Millis {
    now().saturating_sub(BLOCK_LISTED)
}

fn read(row: &sqlx::sqlite::SqliteRow) -> Result<FoundException, DbError> {
    let kind: String = row.try_get("kind")?;
    Ok(FoundException {
        rowid: row.try_get("id")?,
        kind: ExceptionKind::from_word(&kind).unwrap_or(ExceptionKind::Unknown),
        since: row.try_get("since")?,
        detail: row.try_get("detail")?,
    })
}

/// Notes that somebody has dealt with one that began then.
pub(super) async fn resolve(
    connection: &mut SqliteConnection,
    key: &OperationKey,
    wanted: &ResolveException,
    since: Millis,
    staff: &str,
    now: Millis,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO resolved_exceptions (merchant_code, merchant_operation_number, kind, since,
             staff, at, reason) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET since = excluded.since, staff = excluded.staff,
             at = excluded.at, reason = excluded.reason",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(wanted.kind.as_str())
    .bind(since)
    .bind(staff)
    .bind(now)
    .bind(wanted.reason.trim())
    .execute(connection)
    .await?;
    Ok(())
}
