//! Removes orders without an attempt to pay after a day.

use crate::clock::{JumpWatch, Moment, moment};
use crate::db::{Db, DbError};
use crate::tasks::Tasks;
use payment_model::Timestamp;
use std::time::Duration;

const AGE: Duration = Duration::from_hours(24);
/// Orders of one transaction: payers who write wait that long.
const BATCH: u32 = 100;
/// The pause between two transactions, so that payers can write in between.
const BREATH: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_secs(60);

/// Runs until the server stops.
pub(crate) async fn remove_abandoned_orders(db: Db, tasks: Tasks, observed: Duration) {
    let mut ages = Ages::new(moment(), observed);
    while !tasks.is_stopping() {
        let removed = match ages.abandoned_before(moment()) {
            Some(before) => db.remove_abandoned(before, BATCH).await,
            None => Ok(0),
        };
        let pause = pause(&removed);
        if let Err(error) = removed {
            tracing::error!(%error, "orders that nobody began to pay cannot be removed");
        }
        tasks.pause(pause).await;
    }
}

/// Tells how old an order is, as far as the clock can be believed.
struct Ages {
    jumps: JumpWatch,
    began: Timestamp,
    /// How long the server must have run before it removes anything: it cannot know by how much the
    /// clock was set while it was stopped, and a payer may look at an order that only seems old.
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

    /// The instant before which an order without an attempt is abandoned. `None` while a jump of
    /// the clock may have made it look so.
    fn abandoned_before(&mut self, at: Moment) -> Option<Timestamp> {
        self.jumps.look(at);
        let has_run = at.steady.duration_since(self.began);
        let is_certain = has_run >= self.observed && self.jumps.is_calm_for(AGE);
        is_certain.then(|| at.wall.saturating_sub(AGE))
    }
}

/// After a full batch more orders may be left.
fn pause(removed: &Result<u64, DbError>) -> Duration {
    match removed {
        Ok(removed) if *removed >= u64::from(BATCH) => BREATH,
        _ => PAUSE,
    }
}

#[cfg(test)]
mod tests {
    use super::{AGE, Ages};
    use crate::clock::{Moment, instant};
    use std::time::Duration;

    const MINUTE: i64 = 60_000;
    const DAY: i64 = 24 * 60 * MINUTE;

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
            let now = minute * MINUTE;
            assert_eq!(ages.abandoned_before(at(now, now)), None, "{minute}");
        }
        let hour = 60 * MINUTE;
        let before = instant(hour).saturating_sub(AGE);
        assert_eq!(ages.abandoned_before(at(hour, hour)), Some(before));
        // The clock is set ahead by a day, and for a day no age can be believed.
        for passed in (hour + MINUTE..hour + DAY).step_by(3_600_000) {
            let now = at(passed + DAY, passed);
            assert_eq!(ages.abandoned_before(now), None, "{passed}");
        }
        let later = hour + DAY + MINUTE;
        let found = ages.abandoned_before(at(later + DAY, later));
        assert_eq!(found, Some(instant(later)));
    }
}
