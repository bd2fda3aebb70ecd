//! What a server of the database acknowledged to this node, and what proves that another server
//! lacks it.

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
    /// Where the log stood before the commit; `None` where the server does not say.
    pub(super) log: Option<LogPosition>,
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
    /// Another server took over, and no acknowledged commit is known to be missing.
    AnotherServer,
    /// Acknowledged commits are lost; the fence is set.
    Lost,
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

pub(super) fn compare(known: Acknowledged, stored: Option<i64>, log: Option<LogPosition>) -> Found {
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
