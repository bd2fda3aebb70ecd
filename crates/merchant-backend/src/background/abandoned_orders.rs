//! Removes orders that no payer began to pay, a day after their creation.

use crate::clock::{Moment, moment};
use crate::clock_jumps::JumpWatch;
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
    let mut ages = Ages::new(moment(), observed);
    while !tasks.is_stopping() {
        let removed = match ages.abandoned_before(moment()) {
            Some(before) => remove(&db, before).await,
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

/// Computes ages of orders, and detects when the clock makes them unreliable.
struct Ages {
    jumps: JumpWatch,
    began: Timestamp,
    /// The time for which the server must have run before it removes anything. It cannot detect a
    /// change of the clock while it was stopped, which can make the order of a present payer look old.
    observed: Duration,
}

impl Ages {
    fn new(at: Moment, observed: Duration) -> Self {
        Self {
            jumps: JumpWatch::new(at),
            began: at.steady,
            observed,
        }
    }

    /// Orders without an attempt from before this instant are abandoned. `None` while a jump of the
    /// clock may have made orders look older than they are.
    fn abandoned_before(&mut self, at: Moment) -> Option<Timestamp> {
        self.jumps.look(at);
        let has_run = at.steady.duration_since(self.began);
        let is_certain = has_run >= self.observed && self.jumps.is_calm_for(ABANDONED_AFTER);
        is_certain.then(|| at.wall.saturating_sub(ABANDONED_AFTER))
    }
}

/// A full batch may have left more orders to remove.
fn pause(removed: &Result<u64, DbError>) -> Duration {
    match removed {
        Ok(removed) if *removed >= u64::from(BATCH_ORDERS) => BATCH_PAUSE,
        _ => POLL_INTERVAL,
    }
}

#[cfg(test)]
mod tests {
    use super::{ABANDONED_AFTER, Ages};
    use crate::clock::{Moment, instant};
    use std::time::Duration;

    const MINUTE_MS: i64 = 60_000;
    const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

    fn at(wall: i64, steady: i64) -> Moment {
        Moment {
            wall: instant(wall),
            steady: instant(steady),
        }
    }

    #[test]
    fn a_jump_of_a_day_makes_no_order_abandoned() {
        let mut ages = Ages::new(at(0, 0), Duration::from_hours(1));
        // The clock may have been set before the start.
        for minute in 0..60 {
            let now = minute * MINUTE_MS;
            assert_eq!(ages.abandoned_before(at(now, now)), None, "{minute}");
        }
        let hour = 60 * MINUTE_MS;
        let before = instant(hour).saturating_sub(ABANDONED_AFTER);
        assert_eq!(ages.abandoned_before(at(hour, hour)), Some(before));
        // The clock is set ahead by a day, and for a day no age can be believed.
        for passed in (hour + MINUTE_MS..hour + DAY_MS).step_by(3_600_000) {
            let now = at(passed + DAY_MS, passed);
            assert_eq!(ages.abandoned_before(now), None, "{passed}");
        }
        let later = hour + DAY_MS + MINUTE_MS;
        let found = ages.abandoned_before(at(later + DAY_MS, later));
        assert_eq!(found, Some(instant(later)));
    }
}
