//! The receivers of events: notes those of this server for the writers of events, removes old events, and resumes a
//! receiver that was stopped.

use crate::clock::now;
use crate::config::Config;
use crate::database_address::DatabaseAddress;
use crate::db::{AdminDb, AdminDbError, Db, DbError, ResumeOutcome};
use crate::tasks::Tasks;
use std::sync::Arc;
use std::time::Duration;

/// Events are kept for this time after their last delivery, or after their creation if no receiver wants
/// them.
const RETENTION: Duration = Duration::from_hours(30 * 24);
const UPKEEP_INTERVAL: Duration = Duration::from_hours(1);
/// The pause after the database could not be used.
const RETRY_PAUSE: Duration = Duration::from_secs(10);

/// Runs until the server stops.
pub(crate) async fn keep_up(db: Db, config: Arc<Config>, tasks: Tasks) {
    while !tasks.is_stopping() {
        let pause = match step(&db, &config).await {
            Ok(()) => UPKEEP_INTERVAL,
            Err(error) => {
                tracing::error!(%error, "the upkeep of events cannot use the database");
                RETRY_PAUSE
            }
        };
        tasks.pause(pause).await;
    }
}

/// Writes down the receivers of this server. A server does it before it takes a request, so that its first
/// event reaches them.
pub(crate) async fn note_receivers(db: &Db, config: &Config) -> Result<(), DbError> {
    let receivers = config.events.receivers.iter();
    let receivers = receivers.map(|receiver| (receiver.name.as_str(), &receiver.filter));
    db.note_receivers(receivers, now()).await
}

async fn step(db: &Db, config: &Config) -> Result<(), DbError> {
    note_receivers(db, config).await?;
    db.prune_events(now().saturating_sub(RETENTION)).await
}

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
