//! The last commit of this node that the server acknowledged, and the comparison that proves that another
//! server lacks it.

use super::engine::Connection;
use super::error::DbError;
use payment_model::Timestamp;
use sqlx::Row as _;

/// What a node knows of the server that it wrote to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Acknowledged {
    /// The node's number of commits.
    pub(super) written: i64,
    pub(super) at: Timestamp,
    /// The position of the log before the commit; `None` where the user may not read it.
    pub(super) log: Option<LogPosition>,
}

/// A place in the log of a server. Each server that takes over begins another timeline there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LogPosition {
    timeline: i64,
    position: i64,
}

/// The result of the comparison, when a node writes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CompareCommitsOutcome {
    /// The server of the last time, or a first commit.
    Same,
    /// Another server took over, and no acknowledged commit is known to be missing.
    AnotherServer,
    /// Acknowledged commits are lost; the fence is set.
    Lost,
}

/// The position of the log, read within a transaction; `None` where the user may not read it.
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
        // Some hosts offer no such functions; then only the numbers of commits are compared.
        Err(_) => {
            let back = sqlx::query("ROLLBACK TO SAVEPOINT log");
            back.execute(connection).await?;
            Ok(None)
        }
    }
}

pub(super) fn compare(
    known: Acknowledged,
    stored: Option<i64>,
    log: Option<LogPosition>,
) -> CompareCommitsOutcome {
    // More is no loss: a commit of unknown outcome may have succeeded.
    if stored.is_none_or(|stored| stored < known.written) {
        return CompareCommitsOutcome::Lost;
    }
    match (known.log, log) {
        (Some(known), Some(log)) if known.timeline != log.timeline => {
            // The new timeline branched off before this position, and the acknowledged commit is later
            // than `known`.
            if log.position < known.position {
                CompareCommitsOutcome::Lost
            } else {
                CompareCommitsOutcome::AnotherServer
            }
        }
        _ => CompareCommitsOutcome::Same,
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
    use super::{Acknowledged, CompareCommitsOutcome, LogPosition, compare};
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
            (
                "nothing happened",
                Some(7),
                log(1, 120),
                CompareCommitsOutcome::Same,
            ),
            (
                "a commit of unknown outcome",
                Some(8),
                log(1, 120),
                CompareCommitsOutcome::Same,
            ),
            (
                "one fewer",
                Some(6),
                log(1, 120),
                CompareCommitsOutcome::Lost,
            ),
            ("none", None, None, CompareCommitsOutcome::Lost),
            (
                "one fewer on another server",
                Some(6),
                log(2, 120),
                CompareCommitsOutcome::Lost,
            ),
            (
                "another server",
                Some(7),
                log(2, 100),
                CompareCommitsOutcome::AnotherServer,
            ),
            (
                "an earlier branch",
                Some(7),
                log(2, 99),
                CompareCommitsOutcome::Lost,
            ),
            (
                "a server that does not say",
                Some(7),
                None,
                CompareCommitsOutcome::Same,
            ),
        ] {
            assert_eq!(compare(known, stored, now), found, "{name}");
        }
    }
}
