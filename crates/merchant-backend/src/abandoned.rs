//! Orders that nobody ever began to pay are removed after a day.

use crate::backend::Backend;
use crate::clock::{Millis, now};
use crate::store::StoreError;
use std::time::Duration;

const AGE: Millis = 24 * 3600 * 1000;
/// Orders of one transaction: payers who write wait that long.
const BATCH: u32 = 100;
/// Between two transactions, so that payers come in between.
const BREATH: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_secs(60);

/// Runs until the server stops.
pub(crate) async fn run(backend: Backend) {
    while !backend.stopping.is_cancelled() {
        let removed = backend.store.remove_abandoned(now() - AGE, BATCH).await;
        let pause = pause(&removed);
        if let Err(error) = removed {
            tracing::error!(%error, "orders that nobody began to pay cannot be removed");
        }
        backend.clients.retain_recent();
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = backend.stopping.cancelled() => {}
        }
    }
}

/// A full batch has more behind it.
fn pause(removed: &Result<u64, StoreError>) -> Duration {
    match removed {
        Ok(removed) if *removed >= u64::from(BATCH) => BREATH,
        _ => PAUSE,
    }
}
