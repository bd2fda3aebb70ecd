//! Raises an alert when a standby of the database takes over, since it may lack commits.

use crate::db::{Db, Found};
use crate::tasks::Tasks;
use std::time::Duration;

/// A loss of commits since the last comparison cannot be proven.
const COMPARE_INTERVAL: Duration = Duration::from_secs(1);

/// Runs until the server stops. Returns at once for SQLite, which has no standby.
pub(crate) async fn watch_for_lost_commits(db: Db, tasks: Tasks) {
    while db.is_shared() && !tasks.is_stopping() {
        // An error is not logged here: requests get the same error, and log it.
        match db.compare_commits().await.unwrap_or(Found::Same) {
            Found::Same => {}
            Found::AnotherServer => tracing::error!(
                alert = true,
                "another server of the database has taken over; it has the commits that this node counted, and may lack those of the last second: compare its payments with the payment service, and run `restored` if one is missing"
            ),
            Found::Lost => tracing::error!(
                alert = true,
                "the database lacks commits that were acknowledged: what is older waits for staff, as after a restore"
            ),
        }
        tasks.pause(COMPARE_INTERVAL).await;
    }
}
