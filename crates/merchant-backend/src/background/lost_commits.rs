//! Tells staff and the operator that another server of the database has taken over.

use crate::db::{Db, Found};
use crate::tasks::Tasks;
use std::time::Duration;

/// The pause between two comparisons. What is lost of the last second is not proven.
const PAUSE: Duration = Duration::from_secs(1);

/// Compares until the server stops; a file has no other server.
pub(crate) async fn watch_for_lost_commits(db: Db, tasks: Tasks) {
    while db.is_shared() && !tasks.is_stopping() {
        // A failure is one of the requests too, and they report it.
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
        tasks.pause(PAUSE).await;
    }
}
