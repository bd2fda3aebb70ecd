//! The command that resumes a stopped receiver beside a running server.

use crate::clock::now;
use crate::database_address::DatabaseAddress;
use crate::db::{AdminDb, AdminDbError, DbError, ResumeOutcome};

/// Why no receiver was resumed. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ResumeError {
    #[error("--receiver: no server has a receiver `{0}`; the receivers are {1}")]
    Unknown(String, String),
    #[error(transparent)]
    Database(#[from] AdminDbError),
    #[error("{0}; run it again")]
    Failed(#[from] DbError),
}

/// Resumes a receiver; returns what to tell.
///
/// # Errors
/// There is no such receiver, or the database cannot be used.
pub(crate) async fn resume(
    database: &DatabaseAddress,
    receiver: &str,
) -> Result<String, ResumeError> {
    let db = AdminDb::open(database).await?;
    let resumed = db.resume_receiver(receiver, now()).await;
    db.close().await;
    match resumed? {
        ResumeOutcome::Resumed => Ok(format!(
            "{receiver}: its events are sent again, from the one on that it answered with 410."
        )),
        ResumeOutcome::NotStopped => {
            Ok(format!("{receiver} was not stopped: nothing was changed."))
        }
        ResumeOutcome::Unknown(names) => {
            let names = match names.as_slice() {
                [] => "none".to_owned(),
                names => names.join(", "),
            };
            Err(ResumeError::Unknown(receiver.to_owned(), names))
        }
    }
}
