//! Ends orders unpaid whose time to pay has passed or that their shop closed, and whose attempts have ended.

use crate::clock::{Moment, moment, now};
use crate::clock_jumps::JumpWatch;
use crate::db::{Db, DbError};
use crate::tasks::Tasks;
use payment_model::Timestamp;
use payment_rules::order::FullOrderId;
use std::time::Duration;

/// The orders that one read finds.
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
    let mut clock = ClockWatch::new(moment(), observed.min(CALM));
    while !tasks.is_stopping() {
        if clock.is_believed(moment())
            && let Err(error) = end_all(&db, now()).await
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
            has_ended |= db.end_order_unpaid(order, now).await?;
        }
    }
    if has_ended {
        db.conclude_closed_orders(now).await?;
    }
    Ok(())
}

/// Detects when the clock is not to be believed.
struct ClockWatch {
    jumps: JumpWatch,
    began: Timestamp,
    /// The clock may have been changed while the server was stopped, so that it must have run for so long.
    observed: Duration,
}

impl ClockWatch {
    fn new(at: Moment, observed: Duration) -> Self {
        Self {
            jumps: JumpWatch::new(at),
            began: at.steady,
            observed,
        }
    }

    fn is_believed(&mut self, at: Moment) -> bool {
        self.jumps.look(at);
        at.steady.duration_since(self.began) >= self.observed && self.jumps.is_calm_for(CALM)
    }
}

#[cfg(test)]
mod tests {
    use super::{CALM, ClockWatch};
    use crate::clock::{Moment, instant};
    use std::time::Duration;

    #[test]
    fn a_clock_that_jumped_ends_no_order() {
        let at = |wall: i64, steady: i64| Moment {
            wall: instant(wall),
            steady: instant(steady),
        };
        let calm = i64::try_from(CALM.as_millis()).unwrap();
        let mut clock = ClockWatch::new(at(0, 0), Duration::from_secs(1));
        assert!(!clock.is_believed(at(999, 999)));
        assert!(clock.is_believed(at(1000, 1000)));
        let day = 86_400_000;
        assert!(!clock.is_believed(at(day + 2000, 2000)));
        assert!(!clock.is_believed(at(day + calm, calm)));
        assert!(clock.is_believed(at(day + calm + 2001, calm + 2001)));
    }
}
