//! The state of a database: what the command `check` sees, whether it takes writes, and how many rows need
//! attention.

use super::columns::{instant, optional_instant};
use super::connections::Db;
use super::engine::sqlite::connect_admin;
use super::engine::{Connection, postgres};
use super::error::{DatabaseError, DbError};
use super::lock::Lock;
use super::preconditions::{self, Schema, is_locked};
use super::{exception_list, exceptions, restore_point};
use crate::clock::now;
use crate::database_address::{DatabaseAddress, ServerAddress};
use payment_model::Timestamp;
use secrecy::ExposeSecret;
use sqlx::Row as _;
use staff_model::ExceptionKind;
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

/// The state of a database, as a look at its file shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inspected {
    /// No file yet, and its directory may be written; or an empty database.
    None,
    /// A database with the newest schema.
    Current,
    /// A database that the next start will change.
    Older,
    /// A database with the newest schema that was restored from a backup, with what is older
    /// waiting for staff.
    Restored,
    /// A database with the newest schema, with the number of payments whose exceptions an earlier version
    /// found.
    OldExceptions(i64),
    /// A server has it now.
    InUse,
}

/// Looks at a database.
///
/// # Errors
/// It cannot be used; the error names the remedy.
pub(crate) async fn inspect(address: &DatabaseAddress) -> Result<Inspected, DatabaseError> {
    match address {
        DatabaseAddress::File(path) => inspect_file(path).await,
        DatabaseAddress::Server(address) => inspect_server(address).await,
    }
}

async fn inspect_server(address: &ServerAddress) -> Result<Inspected, DatabaseError> {
    let name = address.to_string();
    let unreachable = |cause: sqlx::Error| DatabaseError::Unreachable {
        name: name.clone(),
        cause: cause.to_string(),
    };
    let connection = postgres::connect_once(address.address.expose_secret());
    let mut connection = connection.await.map_err(unreachable)?;
    let refused = postgres::refused(&mut connection).await;
    if let Some(refused) = refused.map_err(unreachable)? {
        return Err(refused.error(&name));
    }
    let schema = preconditions::find_schema(&mut connection)
        .await
        .map_err(unreachable)?;
    let inspected = compared(&mut connection, schema, &name).await;
    // Nothing depends on how it ends.
    let _ = connection.close().await;
    inspected
}

async fn compared(
    connection: &mut Connection,
    schema: Schema,
    name: &str,
) -> Result<Inspected, DatabaseError> {
    match schema {
        Schema::Missing => return Ok(Inspected::None),
        Schema::Foreign => return Err(DatabaseError::Foreign(name.to_owned())),
        Schema::OtherBuild => return Err(DatabaseError::OtherBuild(name.to_owned())),
        Schema::Older => return Ok(Inspected::Older),
        Schema::Newer => return Err(DatabaseError::Newer(name.to_owned())),
        Schema::Newest => preconditions::refuse_moved(connection, name).await?,
    }
    let failed = |error: DbError| DatabaseError::Schema(name.to_owned(), error.to_string());
    let fence = restore_point::find(connection).await.map_err(failed)?;
    if fence.is_some() {
        return Ok(Inspected::Restored);
    }
    Ok(
        match exceptions::count_old(connection).await.map_err(failed)? {
            0 => Inspected::Current,
            old => Inspected::OldExceptions(old),
        },
    )
}

/// True when a standby that takes over may lack commits; `false` also for a file, and where nothing
/// can be asked.
pub(crate) async fn standbys_may_lack_commits(address: &DatabaseAddress) -> bool {
    let DatabaseAddress::Server(server) = address else {
        return false;
    };
    let connection = postgres::connect_once(server.address.expose_secret());
    let Ok(mut connection) = connection.await else {
        return false;
    };
    let found = postgres::standbys_may_lack_commits(&mut connection).await;
    // Nothing depends on how it ends.
    let _ = connection.close().await;
    found.unwrap_or(false)
}

async fn inspect_file(path: &Path) -> Result<Inspected, DatabaseError> {
    let name = path.display().to_string();
    let unreadable = |cause: String| DatabaseError::Unreadable {
        path: name.clone(),
        cause,
    };
    if !path.exists() {
        let mut probe = path.as_os_str().to_owned();
        probe.push(".check");
        File::create_new(&probe)
            .and_then(|_| std::fs::remove_file(&probe))
            .map_err(|error| unreadable(error.to_string()))?;
        return Ok(Inspected::None);
    }
    if is_locked(path) {
        return Ok(Inspected::InUse);
    }
    let pool = connect_admin(path)
        .await
        .map_err(|error| unreadable(error.to_string()))?;
    let connection = pool.acquire().await;
    let mut connection = connection.map_err(|error| unreadable(error.to_string()))?;
    let schema = preconditions::find_schema(&mut connection).await;
    let schema = schema.map_err(|error| unreadable(error.to_string()))?;
    let inspected = compared(&mut connection, schema, &name).await;
    drop(connection);
    pool.close().await;
    inspected
}

/// What a readiness check writes to the disk. SQLite reuses its log, so that a small write to the database
/// succeeds even on a full disk.
static RESERVED_BYTES: [u8; 64 * 1024] = [b'.'; 64 * 1024];

impl Db {
    /// Writes to the database, and fails when that is not possible.
    pub(crate) async fn ready(&self) -> Result<(), DbError> {
        if let Some(file) = self.lock_file() {
            reserve_disk_space(file.try_clone().map_err(sqlx::Error::Io)?).await?;
        }
        let mut transaction = self.write(Lock::None).await?;
        sqlx::query("UPDATE readiness SET written = written + 1, written_at = $1")
            .bind(now().as_millis())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await
    }
}

/// Takes some space on the disk with this file, which is our own and otherwise empty, and frees it.
async fn reserve_disk_space(file: File) -> Result<(), DbError> {
    let taken = tokio::task::spawn_blocking(move || {
        let taken = file
            .write_all_at(&RESERVED_BYTES, 0)
            .and_then(|()| file.sync_all());
        // Also after a partial write.
        taken.and(file.set_len(0))
    });
    let taken = taken.await.map_err(std::io::Error::other).flatten();
    taken.map_err(|error| DbError::Away(format!("the disk has no room: {error}")))
}

/// The events that were not delivered to a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct WaitingEvents {
    pub(crate) count: i64,
    /// The age of the oldest one.
    pub(crate) lag: Duration,
}

/// Numbers of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowCounts {
    pub(crate) live: i64,
    pub(crate) doubts: i64,
    /// The age of the oldest operation in doubt.
    pub(crate) oldest_doubt: Duration,
    /// The events that wait for a receiver, by its name.
    pub(crate) waiting: BTreeMap<String, WaitingEvents>,
    /// By kind.
    pub(crate) exceptions: BTreeMap<&'static str, i64>,
}

impl Db {
    /// Counts rows; an index answers each count.
    pub(crate) async fn row_counts(
        &self,
        merchant_codes: &[String],
        unsettled_since: Timestamp,
    ) -> Result<RowCounts, DbError> {
        let mut transaction = self.read().await?;
        let row = sqlx::query(
            "SELECT (SELECT count(*) FROM operations WHERE live = 1) AS live,
                 (SELECT count(*) FROM operations WHERE phase = 'in_doubt') AS doubts,
                 (SELECT min(created_at) FROM operations WHERE phase = 'in_doubt') AS doubted",
        )
        .fetch_one(&mut *transaction)
        .await?;
        let counts =
            exception_list::counts(&mut transaction, merchant_codes, unsettled_since).await?;
        let mut exceptions: BTreeMap<&'static str, i64> = ExceptionKind::ALL
            .iter()
            .map(|kind| (kind.as_str(), 0))
            .collect();
        for counted in counts {
            let count = i64::try_from(counted.count).unwrap_or(i64::MAX);
            exceptions.insert(counted.kind.as_str(), count);
        }
        let doubted = optional_instant(&row, "doubted")?;
        Ok(RowCounts {
            live: row.try_get("live")?,
            doubts: row.try_get("doubts")?,
            oldest_doubt: doubted.map_or(Duration::ZERO, |since| now().duration_since(since)),
            waiting: waiting(&mut transaction).await?,
            exceptions,
        })
    }
}

/// Counts the events that wait for each receiver; `seq` is in the order of time.
async fn waiting(connection: &mut Connection) -> Result<BTreeMap<String, WaitingEvents>, DbError> {
    let rows = sqlx::query(
        "SELECT w.receiver, w.count, e.created_at
         FROM (SELECT receiver, count(*) AS count, min(event_seq) AS oldest FROM deliveries
             WHERE delivered_at IS NULL GROUP BY receiver) w JOIN events e ON e.seq = w.oldest",
    );
    let rows = rows.fetch_all(connection).await?;
    rows.iter()
        .map(|row| {
            let waiting = WaitingEvents {
                count: row.try_get("count")?,
                lag: now().duration_since(instant(row, "created_at")?),
            };
            Ok((row.try_get("receiver")?, waiting))
        })
        .collect()
}
