//! PostgreSQL: a server that several processes share.

use super::{Connection, Pool};
use crate::clock;
use crate::db::error::DatabaseError;
use payment_model::Timestamp;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, install_default_drivers};
use sqlx::{Any, Executor, Row as _};
use std::str::FromStr;
use std::time::Duration;

/// The database's clock in milliseconds since 1970, read once in a statement, so that an index
/// still helps.
pub(in crate::db) const CLOCK: &str =
    "(SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint))";

/// How long a connection waits for a lock, how long a statement runs, and how long a transaction stays
/// open without a statement. The last one releases the locks of a paused process.
const SESSION_TIMEOUTS: &str = "SET lock_timeout = '10s'; SET statement_timeout = '30s';
    SET idle_in_transaction_session_timeout = '15s'";

/// The session of a connection that writes. Its statements find rows by key and run again and again: to
/// plan the load of an order each time would cost more than to run it.
pub(in crate::db) const WRITER_SESSION: &str = "SET plan_cache_mode = force_generic_plan";

/// The session of a connection that reads. The best plan of a search depends on what is searched.
pub(in crate::db) const READER_SESSION: &str = "SET plan_cache_mode = auto";

/// How long a caller waits for a connection. It is short, so that callers soon learn that the database
/// is away.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);

/// Why a server is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::db) enum Refused {
    /// It is a standby, which only repeats what its primary server sends.
    Standby,
    /// A setting loses what was committed; the server answered `off`.
    Loses(&'static str),
}

impl Refused {
    pub(in crate::db) fn error(self, name: &str) -> DatabaseError {
        match self {
            Self::Standby => DatabaseError::Standby(name.to_owned()),
            Self::Loses(setting) => DatabaseError::Loses {
                name: name.to_owned(),
                setting,
            },
        }
    }

    pub(in crate::db) const fn as_str(self) -> &'static str {
        match self {
            Self::Standby => "the server is a standby",
            Self::Loses(_) => "the server loses what was committed",
        }
    }
}

fn options(address: &str) -> Result<AnyConnectOptions, sqlx::Error> {
    install_default_drivers();
    AnyConnectOptions::from_str(address)
}

/// One connection, for the migrations, which may take long.
pub(in crate::db) async fn connect_once(address: &str) -> Result<Connection, sqlx::Error> {
    Connection::open(&options(address)?).await
}

/// Opens the connections of a process. Each new one checks the server again, since a failover may have
/// replaced it.
pub(in crate::db) async fn connect(
    address: &str,
    size: u32,
    session: &'static str,
) -> Result<Pool, sqlx::Error> {
    let options = AnyPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                if let Some(refused) = refused(&mut *connection).await? {
                    let why = std::io::Error::other(refused.as_str());
                    return Err(sqlx::Error::Io(why));
                }
                sqlx::raw_sql(SESSION_TIMEOUTS)
                    .execute(&mut *connection)
                    .await?;
                sqlx::raw_sql(session).execute(&mut *connection).await?;
                Ok(())
            })
        });
    Pool::connect(options, self::options(address)?).await
}

/// Why this server could lose commits, if it could.
pub(in crate::db) async fn refused<'c>(
    connection: impl Executor<'c, Database = Any>,
) -> Result<Option<Refused>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS standby,
             current_setting('fsync') AS fsync,
             current_setting('synchronous_commit') AS synchronous_commit",
    )
    .fetch_one(connection)
    .await?;
    if row.try_get::<i64, _>("standby")? != 0 {
        return Ok(Some(Refused::Standby));
    }
    for setting in ["fsync", "synchronous_commit"] {
        if row.try_get::<&str, _>(setting)? == "off" {
            return Ok(Some(Refused::Loses(setting)));
        }
    }
    Ok(None)
}

/// True when the server has standbys and does not wait for any of them, so that one that takes over may lack commits. What
/// follows without being able to take over does not count: copies under way, receivers of its log, subscribers. An ordinary
/// user sees their number and these settings.
pub(in crate::db) async fn standbys_may_lack_commits<'c>(
    connection: impl Executor<'c, Database = Any>,
) -> Result<bool, sqlx::Error> {
    let found = sqlx::query_scalar::<_, i64>(
        "SELECT count(*) FROM pg_stat_replication r
         WHERE coalesce(r.state, '') <> 'backup' AND r.application_name <> 'pg_receivewal'
             AND NOT EXISTS (SELECT 1 FROM pg_replication_slots s
                 WHERE s.active_pid = r.pid AND s.slot_type = 'logical')
             AND (current_setting('synchronous_standby_names') = ''
                 OR current_setting('synchronous_commit') = 'local')",
    );
    Ok(found.fetch_one(connection).await? > 0)
}

/// Sets the clock of this process by the clock of the database.
pub(in crate::db) async fn follow_clock(connection: &mut Connection) -> Result<(), sqlx::Error> {
    let asked = clock::moment();
    let sql = format!("SELECT {CLOCK}");
    let answer: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
        .fetch_one(connection)
        .await?;
    clock::follow(asked, Timestamp::from_millis(answer));
    Ok(())
}
