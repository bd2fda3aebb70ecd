//! Removes orders that no payer began to pay, a day after their creation.

use crate::clock::believed_now;
use crate::db::{Db, DbError};
use crate::tasks::Tasks;
use payment_model::Timestamp;
use std::time::Duration;

const ABANDONED_AFTER: Duration = Duration::from_hours(24);
/// The orders that one transaction removes. Payers' writes wait for the transaction.
const BATCH_ORDERS: u32 = 100;
/// The pause between two full batches, in which payers' writes are done.
const BATCH_PAUSE: Duration = Duration::from_millis(100);
const POLL_INTERVAL: Duration = Duration::from_secs(60);

/// Runs until the server stops.
pub(crate) async fn remove_abandoned_orders(db: Db, tasks: Tasks, observed: Duration) {
    while !tasks.is_stopping() {
        // A change of the clock can make the order of a present payer look old.
        let removed = match believed_now(ABANDONED_AFTER, observed) {
            Some(now) => remove(&db, now.saturating_sub(ABANDONED_AFTER)).await,
            None => Ok(0),
        };
        let pause = pause(&removed);
        if let Err(error) = removed {
            tracing::error!(%error, "orders that nobody began to pay cannot be removed");
        }
        tasks.pause(pause).await;
    }
}

async fn remove(db: &Db, before: Timestamp) -> Result<u64, DbError> {
    // An order is kept while it has a link to its page.
    db.remove_pay_links(before, BATCH_ORDERS).await?;
    db.remove_abandoned(before, BATCH_ORDERS).await
}

/// A full batch may have left more orders to remove.
fn pause(removed: &Result<u64, DbError>) -> Duration {
    match removed {
        Ok(removed) if *removed >= u64::from(BATCH_ORDERS) => BATCH_PAUSE,
        _ => POLL_INTERVAL,
    }
}
