//! Removes orders without an attempt to pay after a day.

use crate::clock::now;
use crate::db::{Db, DbError};
use crate::tasks::Tasks;
use std::time::Duration;

const AGE: Duration = Duration::from_hours(24);
/// Orders of one transaction: payers who write wait that long.
const BATCH: u32 = 100;
/// The pause between two transactions, so that payers can write in between.
const BREATH: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_secs(60);

/// Runs until the server stops.
pub(crate) async fn remove_abandoned_orders(db: Db, tasks: Tasks) {
    while !tasks.is_stopping() {
        let removed = db.remove_abandoned(now().saturating_sub(AGE), BATCH).await;
        let pause = pause(&removed);
        if let Err(error) = removed {
            tracing::error!(%error, "orders that nobody began to pay cannot be removed");
        }
        tasks.pause(pause).await;
    }
}

/// After a full batch more orders may be left.
fn pause(removed: &Result<u64, DbError>) -> Duration {
    match removed {
        Ok(removed) if *removed >= u64::from(BATCH) => BREATH,
        _ => PAUSE,
    }
}
