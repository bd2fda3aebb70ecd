//! Notes the receivers of this server for the writers of events, and removes old events.

use crate::clock::now;
use crate::config::Config;
use crate::db::{Db, DbError};
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
    let receivers = config.receivers.iter();
    let receivers = receivers.map(|receiver| (receiver.name.as_str(), &receiver.filter));
    db.note_receivers(receivers, now()).await
}

async fn step(db: &Db, config: &Config) -> Result<(), DbError> {
    note_receivers(db, config).await?;
    db.prune_events(now().saturating_sub(RETENTION)).await
}
