//! PostgreSQL: a server that several processes share.

use super::{Connection, Pool};
use crate::clock;
use crate::db::error::DatabaseError;
use payment_model::Timestamp;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, install_default_drivers};
use sqlx::{Any, AnyConnection, Executor, Row as _};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
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

/// The commits of this process that the server acknowledged, as each new connection compares them with those that it
/// finds: what is written to a server that lacks some must wait until the fence says so.
#[derive(Debug)]
pub(in crate::db) struct OwnCommits {
    /// The unique name of this process.
    pub(in crate::db) name: String,
    /// The last number; zero before the first.
    acknowledged: AtomicI64,
    /// True once a new connection has found fewer.
    are_lost: AtomicBool,
}

impl OwnCommits {
    pub(in crate::db) fn of(name: String) -> Self {
        Self {
            name,
            acknowledged: AtomicI64::new(0),
            are_lost: AtomicBool::new(false),
        }
    }

    /// True while new connections are refused, since the server lacks commits.
    pub(in crate::db) fn are_lost(&self) -> bool {
        self.are_lost.load(Ordering::Relaxed)
    }

    /// Notes what the server has acknowledged now; a loss is over with it.
    pub(in crate::db) fn acknowledge(&self, written: i64) {
        self.acknowledged.store(written, Ordering::Relaxed);
        self.are_lost.store(false, Ordering::Relaxed);
    }

    async fn compare(&self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let acknowledged = self.acknowledged.load(Ordering::Relaxed);
        if acknowledged == 0 {
            return Ok(());
        }
        let stored =
            sqlx::query_scalar::<_, i64>("SELECT written FROM node_commits WHERE node = $1");
        let stored = stored.bind(&*self.name).fetch_optional(connection).await?;
        if stored.is_some_and(|stored| stored >= acknowledged) {
            return Ok(());
        }
        self.are_lost.store(true, Ordering::Relaxed);
        let why = "the server lacks commits that were acknowledged";
        Err(sqlx::Error::Io(std::io::Error::other(why)))
    }
}

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
    own: Option<Arc<OwnCommits>>,
) -> Result<Pool, sqlx::Error> {
    let options = AnyPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .after_connect(move |connection, _| {
            let own = own.clone();
            Box::pin(async move {
                if let Some(refused) = refused(&mut *connection).await? {
                    let why = std::io::Error::other(refused.as_str());
                    return Err(sqlx::Error::Io(why));
                }
                sqlx::raw_sql(SESSION_TIMEOUTS)
                    .execute(&mut *connection)
                    .await?;
                sqlx::raw_sql(session).execute(&mut *connection).await?;
                match own {
                    Some(own) => own.compare(connection).await,
                    None => Ok(()),
                }
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
