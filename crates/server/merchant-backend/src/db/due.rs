//! Rows that come due by a plan, and the leases under which they are taken.
//!
//! A row's plan is `due_at`, by the wall clock, with `planned_at`, when it was made. If
//! `planned_at` is in the future, the clock was set back since: the pause might never end, so the
//! row is due.
//!
//! A lease is `leased_until`, by a steady clock: a change of the wall clock neither ends nor extends
//! it, so no work is done twice at once. It ends with the next plan. A file belongs to one process,
//! so the clock is that of the process ([`Moment::steady`]), and a start ends every lease. Several
//! processes have the clock of their server, and a start ends nothing.

use super::columns::millis;
use super::engine::{Connection, Engine, ROW_ID, Row};
use super::error::DbError;
use crate::clock::{Moment, now};
use payment_model::Timestamp;
use sqlx::AssertSqlSafe;
use std::time::Duration;

/// Whether a caller may query the payment service now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The caller has the turn now.
    Taken,
    /// The caller has to wait for this long.
    Wait(Duration),
}

/// The tables whose rows come due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due<'a> {
    Operations,
    RefundWatches,
    /// Deliveries of events to a receiver. Each receiver has a queue of its own.
    Deliveries(&'a str),
}

impl Due<'_> {
    /// Every table. A start spreads the deliveries to all receivers, whichever is named here.
    pub(super) const ALL: [Due<'static>; 3] =
        [Due::Operations, Due::RefundWatches, Due::Deliveries("shop")];

    /// The receiver to whose rows a statement is limited, as its last parameter.
    pub(super) fn receiver(&self) -> Option<&str> {
        match self {
            Self::Operations | Self::RefundWatches => None,
            Self::Deliveries(receiver) => Some(receiver),
        }
    }

    pub(super) fn table(self) -> &'static str {
        match self {
            Self::Operations => "operations",
            Self::RefundWatches => "refund_watches",
            Self::Deliveries(_) => "deliveries",
        }
    }

    /// The condition of a statement that is limited to the rows of a receiver, which is this parameter.
    fn only(self, parameter: u8) -> String {
        match self {
            Self::Operations | Self::RefundWatches => String::new(),
            Self::Deliveries(_) => format!("receiver = ${parameter} AND "),
        }
    }

    /// The order at a start. For payments and refunds the newest come first, since their payers
    /// most likely still wait, and payments without an end before all others. Deliveries begin with the
    /// oldest event, so that a receiver gets them nearly in their order.
    fn order_of_start(self) -> String {
        match self {
            Self::Operations => "outcome IS NOT NULL, created_at DESC".to_owned(),
            Self::RefundWatches => format!("{ROW_ID} DESC"),
            Self::Deliveries(_) => "event_seq".to_owned(),
        }
    }

    /// Takes at most $4 due rows, of the receiver $5, by wall clock $1 and steady clock $2, under a lease of
    /// $3 milliseconds.
    /// A process skips the rows that another process is taking.
    pub(super) fn take_statement(self, engine: Engine, columns: &str) -> String {
        let (table, id, only) = (self.table(), ROW_ID, self.only(5));
        let (steady, ahead) = (engine.steady(2), engine.ahead(1));
        let due = "leased_until IS NULL AND due_at <= $1";
        let of_other_clock =
            format!("leased_until IS NULL AND planned_at > {ahead} AND due_at > $1");
        let left = format!("leased_until <= {steady} AND (due_at <= $1 OR planned_at > {ahead})");
        let some = |which: &str| format!("SELECT {id}, due_at FROM {table} WHERE {only}{which}");
        match engine {
            Engine::Sqlite => format!(
                "UPDATE {table} SET leased_until = {steady} + $3 WHERE {id} IN (
                     SELECT {id} FROM ({} UNION ALL {} UNION ALL {}
                         ORDER BY due_at LIMIT $4) AS waiting)
                 RETURNING {columns}",
                some(due),
                some(&of_other_clock),
                some(&left),
            ),
            Engine::Postgres => {
                let some =
                    |which: &str| some(which) + " ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED";
                format!(
                    "WITH due AS ({}), of_other_clock AS ({}), lost AS ({})
                     UPDATE {table} SET leased_until = {steady} + $3 WHERE {id} IN (
                         SELECT {id} FROM (SELECT * FROM due UNION ALL
                             SELECT * FROM of_other_clock UNION ALL SELECT * FROM lost
                             ORDER BY due_at LIMIT $4) AS waiting)
                     RETURNING {columns}",
                    some(due),
                    some(&of_other_clock),
                    some(&left),
                )
            }
        }
    }

    /// When the next row, of the receiver $3, can be taken: by wall clock $1 and steady clock $2.
    pub(super) fn next_statement(self, engine: Engine) -> String {
        let (table, only) = (self.table(), self.only(3));
        let (steady, ahead) = (engine.steady(2), engine.ahead(1));
        format!(
            "SELECT min(at) FROM (
                 SELECT min(due_at) AS at FROM {table}
                     WHERE {only}due_at IS NOT NULL AND leased_until IS NULL
                 UNION ALL
                 SELECT $1 WHERE {ahead} < (SELECT max(planned_at) FROM {table}
                     WHERE {only}planned_at IS NOT NULL AND leased_until IS NULL)
                 UNION ALL
                 SELECT CASE WHEN ends > {steady} THEN $1 + (ends - {steady}) ELSE $1 END
                     FROM (SELECT min(leased_until) AS ends FROM {table}
                         WHERE {only}leased_until IS NOT NULL) AS lease
                     WHERE ends IS NOT NULL) AS times"
        )
    }
}

/// The readable rows of a batch. A row that cannot be read, which a newer version may have written, does
/// not block the others: it comes again when its lease ends, with another alert.
pub(super) fn readable<T>(rows: &[Row], read: fn(&Row) -> Result<T, DbError>) -> Vec<T> {
    let rows = rows.iter().map(read);
    rows.filter_map(|row| row.map_err(|error| unreadable(&error)).ok())
        .collect()
}

/// Alerts about a row that cannot be read.
pub(super) fn unreadable(error: &DbError) {
    tracing::error!(alert = true, %error, "a row of the database cannot be read");
}

/// The `planned_at` of a plan that is written now; never later than the plan is due.
pub(super) fn planned_at(due_at: Option<Timestamp>) -> Option<Timestamp> {
    due_at.map(|due_at| due_at.min(now()))
}

/// When the next row can be taken, by the wall clock.
pub(super) async fn next(
    connection: &mut Connection,
    due: Due<'_>,
    at: Moment,
) -> Result<Option<Timestamp>, DbError> {
    let sql = due.next_statement(Engine::of(connection));
    let next = sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(at.wall.as_millis())
        .bind(at.steady.as_millis());
    let next = match due.receiver() {
        None => next,
        Some(receiver) => next.bind(receiver),
    };
    let next: Option<i64> = next.fetch_one(connection).await?;
    Ok(next.map(Timestamp::from_millis))
}

/// How far apart rows are made due at a start.
const SPREAD_STEP: Duration = Duration::from_millis(20);
/// How long it may take until all of them are, however many there are.
const MAX_SPREAD: Duration = Duration::from_mins(10);

/// Ends every lease, since its process has stopped. Spreads over time all rows that were leased, overdue,
/// or planned by a clock that was set back since, so that a start does not query all of them at once.
/// Other plans stay.
pub(super) async fn spread(
    connection: &mut Connection,
    due: Due<'_>,
    now: Timestamp,
) -> Result<(), DbError> {
    let (table, id, order) = (due.table(), ROW_ID, due.order_of_start());
    let sql = format!(
        "UPDATE {table} SET leased_until = NULL, planned_at = $1,
             due_at = $1 + CASE WHEN place * $2 < place * $3 / places THEN place * $2
                 ELSE place * $3 / places END
         FROM (
             SELECT {id} AS id, row_number() OVER (ORDER BY {order}) - 1 AS place,
                 count(*) OVER () AS places
             FROM {table} WHERE due_at IS NOT NULL
                 AND (due_at <= $1 OR planned_at > $1 OR leased_until IS NOT NULL)
         ) AS waiting WHERE {table}.{id} = waiting.id"
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(now.as_millis())
        .bind(millis(SPREAD_STEP))
        .bind(millis(MAX_SPREAD))
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
pub(super) mod tests;
