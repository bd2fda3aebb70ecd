//! Notices that another server of the database has taken over without every commit.
//!
//! Each node counts its own commits in a row of `node_commits` and remembers the last number that the
//! server acknowledged. A smaller number proves that commits were lost, and so does a timeline of the
//! server's log that began before the last one of them. What is lost proves that the database went
//! back in time, so that the fence of a restore is set.

use super::audit::AuditRecord;
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::fence;
use super::scope::Scope;
use crate::clock::now;
use payment_model::Timestamp;
use sqlx::Row as _;
use staff_model::AuditAction;
use std::time::Duration;

/// For how long the row of a node that has stopped is kept. A node that was halted for longer would
/// miss its row and set the fence.
const KEPT: Duration = Duration::from_hours(180 * 24);

/// The name in the audit record.
const WHO: &str = "merchant-backend (server)";

/// What a node knows of the server that it wrote to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Acknowledged {
    /// The node's number of commits.
    written: i64,
    at: Timestamp,
    /// Where the log stood before the commit; `None` where the server does not say.
    log: Option<LogPosition>,
}

/// A place in the log of a server. Each server that takes over begins another timeline there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LogPosition {
    timeline: i64,
    position: i64,
}

/// What a node finds when it writes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// The server of the last time, or a first commit.
    Same,
    /// Another server, which has every commit that can be told.
    AnotherServer,
    /// Acknowledged commits are lost; the fence is set.
    Lost,
}

impl Db {
    /// Counts a commit of this node, and compares what the server has with what it acknowledged. It
    /// does nothing on a file, which only its owner writes.
    pub(crate) async fn compare_commits(&self) -> Result<Found, DbError> {
        let Some((node, acknowledged)) = self.own_commits() else {
            return Ok(Found::Same);
        };
        let mut acknowledged = acknowledged.lock().await;
        let mut transaction = self.write(Scope::Rows).await?;
        // On this connection: another one may still lead to the earlier server.
        let log = log_position(&mut transaction).await?;
        let stored =
            sqlx::query_scalar::<_, i64>("SELECT written FROM node_commits WHERE node = $1");
        let stored = stored.bind(node).fetch_optional(&mut *transaction).await?;
        let found = acknowledged.map_or(Found::Same, |known| compare(known, stored, log));
        let at = now();
        if let (Found::Lost, Some(known)) = (found, *acknowledged) {
            // A newer fence covers this loss: another node has set it.
            let fence = fence::find(&mut transaction).await?;
            if fence.is_none_or(|fence| fence < known.at) {
                fence::set(&mut transaction, at, &record()).await?;
            }
        }
        if acknowledged.is_none() {
            sqlx::query("DELETE FROM node_commits WHERE written_at < $1")
                .bind(at.saturating_sub(KEPT).as_millis())
                .execute(&mut *transaction)
                .await?;
        }
        let last = acknowledged.map(|known| known.written).max(stored);
        let written = last.unwrap_or_default().saturating_add(1);
        sqlx::query(
            "INSERT INTO node_commits (node, written, written_at) VALUES ($1, $2, $3)
             ON CONFLICT (node) DO UPDATE
                 SET written = excluded.written, written_at = excluded.written_at",
        )
        .bind(node)
        .bind(written)
        .bind(at.as_millis())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        *acknowledged = Some(Acknowledged { written, at, log });
        Ok(found)
    }
}

/// Where the log stands, asked within a transaction; `None` where the server does not let its user
/// know.
pub(super) async fn log_position(
    connection: &mut Connection,
) -> Result<Option<LogPosition>, DbError> {
    sqlx::query("SAVEPOINT log")
        .execute(&mut *connection)
        .await?;
    let asked = sqlx::query(
        "SELECT CAST(CAST('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS bit(32))
                 AS bigint) AS timeline,
             CAST(pg_current_wal_lsn() - CAST('0/0' AS pg_lsn) AS bigint) AS position",
    );
    let found = asked.fetch_one(&mut *connection).await;
    match found.map_err(DbError::from) {
        Ok(row) => Ok(Some(LogPosition {
            timeline: row.try_get("timeline")?,
            position: row.try_get("position")?,
        })),
        Err(error) if error.is_away() => Err(error),
        // Some hosts offer no such functions; the number of commits is compared there too.
        Err(_) => {
            let back = sqlx::query("ROLLBACK TO SAVEPOINT log");
            back.execute(connection).await?;
            Ok(None)
        }
    }
}

fn compare(known: Acknowledged, stored: Option<i64>, log: Option<LogPosition>) -> Found {
    // A commit that reported an error may have been carried out, and makes it more.
    if stored.is_none_or(|stored| stored < known.written) {
        return Found::Lost;
    }
    match (known.log, log) {
        (Some(known), Some(log)) if known.timeline != log.timeline => {
            // The log is longer than at the branch, and the commit came after `known`.
            if log.position < known.position {
                Found::Lost
            } else {
                Found::AnotherServer
            }
        }
        _ => Found::Same,
    }
}

fn record() -> AuditRecord {
    AuditRecord {
        staff: WHO.to_owned(),
        action: AuditAction::Restore,
        key: None,
        detail: "another server of the database took over and lacks commits".to_owned(),
    }
}

/// True when the server has standbys and does not wait for any of them, so that one that takes over
/// may lack commits. An ordinary user sees their number and these settings.
pub(super) async fn standbys_may_lack(connection: &mut Connection) -> Result<bool, sqlx::Error> {
    let found = sqlx::query_scalar::<_, i64>(
        "SELECT count(*) FROM pg_stat_replication
         WHERE coalesce(state, '') <> 'backup'
             AND (current_setting('synchronous_standby_names') = ''
                 OR current_setting('synchronous_commit') = 'local')",
    );
    Ok(found.fetch_one(connection).await? > 0)
}

#[cfg(test)]
mod tests {
    use super::{Acknowledged, Found, LogPosition, compare};
    use crate::clock::instant;

    #[test]
    fn fewer_commits_or_an_earlier_branch_prove_a_loss() {
        let log = |timeline, position| Some(LogPosition { timeline, position });
        let known = Acknowledged {
            written: 7,
            at: instant(1),
            log: log(1, 100),
        };
        for (name, stored, now, found) in [
            ("nothing happened", Some(7), log(1, 120), Found::Same),
            (
                "a commit of unknown outcome",
                Some(8),
                log(1, 120),
                Found::Same,
            ),
            ("one fewer", Some(6), log(1, 120), Found::Lost),
            ("none", None, None, Found::Lost),
            (
                "one fewer on another server",
                Some(6),
                log(2, 120),
                Found::Lost,
            ),
            ("another server", Some(7), log(2, 100), Found::AnotherServer),
            ("an earlier branch", Some(7), log(2, 99), Found::Lost),
            ("a server that does not say", Some(7), None, Found::Same),
        ] {
            assert_eq!(compare(known, stored, now), found, "{name}");
        }
    }
}
