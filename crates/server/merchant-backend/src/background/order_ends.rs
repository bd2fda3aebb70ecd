//! Ends orders unpaid whose time to pay has passed or that their shop closed, and whose attempts have ended; removes
//! orders that no payer began to pay, a day after their creation.

use crate::clock::believed_now;
use crate::db::{Db, DbError};
use crate::tasks::Tasks;
use crate::trace;
use payment_model::Timestamp;
use payment_rules::order::FullOrderId;
use std::time::Duration;

/// The orders that one read finds, and that one transaction removes: payers' writes wait for it.
const BATCH_ORDERS: u32 = 100;
/// The shop releases the goods after the event, which nothing takes back. Therefore the clock must not have
/// jumped for so long: an end may only seem to have passed.
const CALM: Duration = Duration::from_mins(10);

/// Runs until the server stops.
pub(crate) async fn end_unpaid_orders(
    db: Db,
    tasks: Tasks,
    interval: Duration,
    observed: Duration,
) {
    while !tasks.is_stopping() {
        if let Some(now) = believed_now(CALM, observed)
            && let Err(error) = end_all(&db, now).await
        {
            tracing::error!(%error, "orders that nobody paid cannot be ended");
        }
        tasks.pause(interval).await;
    }
}

async fn end_all(db: &Db, now: Timestamp) -> Result<(), DbError> {
    let mut after = FullOrderId::new("", "");
    let mut has_ended = false;
    loop {
        let orders = db.orders_to_end(&after, now, BATCH_ORDERS).await?;
        let Some(last) = orders.last() else {
            break;
        };
        after.clone_from(last);
        for order in &orders {
            has_ended |= match trace::in_background(None, db.end_order_unpaid(order, now)).await {
                // The other orders go on.
                Err(error) if !error.is_away() => {
                    tracing::error!(alert = true, %error, "an order that nobody paid cannot be ended");
                    false
                }
                ended => ended?,
            };
        }
    }
    if has_ended {
        db.conclude_closed_orders(now).await?;
    }
    Ok(())
}

const ABANDONED_AFTER: Duration = Duration::from_hours(24);
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
