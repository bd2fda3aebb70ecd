//! The commands that change a database beside or before a server: `copy` moves everything from a file to a
//! server, `purge` removes the personal data of payers from old orders, `restored` makes what is older than
//! a restore wait until staff have compared it with the payment service.

use crate::clock::now;
use crate::config::Config;
use crate::database_address::{DatabaseAddress, ServerAddress};
use crate::db::{self, AdminDb, AdminDbError, CopyError, DatabaseError, Db, DbError, PurgeFile};
use crate::random::NoRandomness;
use payment_rules::second_factor::ENROLMENT_LIFETIME;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// Copies all rows, and returns the report to print. After an interruption a second call continues; after
/// a complete copy it returns the same report.
///
/// # Errors
/// The copy failed; the message names the remedy.
pub(crate) async fn copy(from: &Path, to: &ServerAddress) -> Result<String, CopyError> {
    let counts = db::copy(from, to).await?;
    let mut report = String::new();
    for (table, rows) in counts {
        // Writing to a string cannot fail.
        let _ = writeln!(report, "{table:<20}{rows:>10} rows");
    }
    let from = from.display();
    let _ = writeln!(
        report,
        "Everything in {from} was copied to {to}: name that in DATABASE. No server starts on {from} any more; keep it as long as a backup."
    );
    Ok(report)
}

/// Abandons an interrupted copy, so that servers start on the old database again. Returns the report to
/// print.
///
/// # Errors
/// The copy cannot be abandoned; the message names the remedy.
pub(crate) async fn abandon(from: &Path, to: &ServerAddress) -> Result<String, CopyError> {
    db::abandon(from, to).await?;
    let from = from.display();
    Ok(format!(
        "The copy was abandoned: {to} is empty, and servers start on {from} again.\n"
    ))
}

/// The orders of one transaction, for which the running server's writes wait.
const BATCH_ORDERS: u32 = 100;

/// The result of a purge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purged {
    /// The orders whose personal data was removed.
    pub orders: u64,
    /// The orders of the same age that keep their personal data, since they are not finished: for
    /// example a payment is in doubt, or an event is not delivered.
    pub left: u64,
}

/// A purge that failed or is not complete. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum PurgeError {
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] AdminDbError),
    /// The purge stopped after some batches, which stay removed.
    #[error("the purge stopped: {0}; run it again")]
    Stopped(String),
    /// The write-ahead log still contains the removed data, because another process reads the file.
    #[error(
        "the payers were removed, but the write-ahead log still holds them, since the file is being read; run it again"
    )]
    LogInUse,
}

impl From<DbError> for PurgeError {
    fn from(error: DbError) -> Self {
        Self::Stopped(error.to_string())
    }
}

/// Removes the payers' personal data from finished orders that are older than this number of days, and the keys and codes
/// of second factors whose accounts are not among those of `staff`, if these are known.
///
/// # Errors
/// The database cannot be opened or written, or its write-ahead log is in use.
pub async fn purge(
    database: &DatabaseAddress,
    days: u32,
    staff: Option<&[String]>,
) -> Result<Purged, PurgeError> {
    let file = PurgeFile::open(database).await?;
    if let Some(staff) = staff {
        file.forget_second_factors(staff).await?;
    }
    let before = now().saturating_sub(Duration::from_hours(24).saturating_mul(days));
    let mut orders = 0;
    loop {
        let done = file.batch(before, days, BATCH_ORDERS).await?;
        orders += done;
        if done == 0 {
            break;
        }
    }
    let left = file.left(before).await?;
    // Done even if no order was purged: an interrupted purge may have left data in the log.
    if !file.empty_log().await? {
        return Err(PurgeError::LogInUse);
    }
    file.close().await;
    Ok(Purged { orders, left })
}

/// Why no enrolment code was made; each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EnrolmentError {
    #[error("STAFF_FILE is missing: name the file of the accounts")]
    NoAccounts,
    #[error("STAFF_FILE has no account `{0}`; give the name of one")]
    NoSuchAccount(String),
    #[error(transparent)]
    Database(#[from] AdminDbError),
    #[error("{0}; run it again")]
    Failed(#[from] DbError),
    #[error("{0}; run it again")]
    Random(#[from] NoRandomness),
}

/// Makes an operator's code for an account, in place of any earlier one.
///
/// # Errors
/// There is no such account, or the database cannot be used.
pub(crate) async fn permit_enrolment(
    config: &Config,
    database: &DatabaseAddress,
    name: &str,
) -> Result<String, EnrolmentError> {
    let accounts = config.staff_accounts.as_ref();
    let accounts = accounts.ok_or(EnrolmentError::NoAccounts)?;
    let unknown = || EnrolmentError::NoSuchAccount(name.to_owned());
    let account = accounts.find(name).ok_or_else(unknown)?;
    let (code, hash) = config.second_factors().enrolment_code(&account.name)?;
    let db = AdminDb::open(database).await?;
    let until = now().saturating_add(ENROLMENT_LIFETIME);
    let permitted = db.permit_enrolment(&account.name, &hash, until).await;
    db.close().await;
    permitted?;
    Ok(code)
}

/// Why the fence was not changed; the message names the remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RestoreError {
    #[error("{0}")]
    Database(#[from] DatabaseError),
    #[error("{0}; run it again")]
    Failed(#[from] DbError),
}

/// Sets the fence, or takes it away when everything was `compared`; returns what to tell.
///
/// # Errors
/// The remedy is in its message.
pub(crate) async fn restored(
    database: &DatabaseAddress,
    compared: bool,
) -> Result<String, RestoreError> {
    let db = Db::open(database).await?;
    let told = if compared {
        compare(&db, database).await
    } else {
        set(&db, database).await
    };
    db.close().await;
    Ok(told?)
}

async fn set(db: &Db, database: &DatabaseAddress) -> Result<String, DbError> {
    let ended = db.set_fence(now()).await?;
    let keys = if ended.api_keys.is_empty() {
        String::new()
    } else {
        let names = ended.api_keys.join(", ");
        format!(
            " One of the API keys could be one that you have ended since the backup, so all have ended: {names}. Make new ones for the programs of your shop, with other names (`key new`)."
        )
    };
    let factors = if ended.second_factors.is_empty() {
        String::new()
    } else {
        let names = ended.second_factors.join(", ");
        format!(
            " One of the second factors of staff could be one that was replaced since the backup, so all have ended: {names}. Until these accounts are enrolled again (`second-factor NAME`), they may only look."
        )
    };
    Ok(format!(
        "{database}: everything in it waits for staff. Start the server, compare it with the payment service, and run `restored --compared`.{keys}{factors}"
    ))
}

async fn compare(db: &Db, database: &DatabaseAddress) -> Result<String, DbError> {
    Ok(if db.end_fence().await? {
        format!("{database}: what is older than the restore is like everything else again.")
    } else {
        format!("{database} waits for nobody: nothing was changed.")
    })
}
