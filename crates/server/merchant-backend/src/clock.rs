//! The clocks of this node.

use crate::ambient;
pub(crate) use crate::clock_jumps::Moment;
use payment_model::Timestamp;
use payment_rules::timing::Reading;
#[cfg(test)]
pub(crate) use payment_rules::timing::instant;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Reads both clocks.
pub(crate) fn moment() -> Moment {
    Moment {
        wall: now(),
        steady: steady(),
    }
}

/// The start of the process plus the monotonic time since then.
fn steady() -> Timestamp {
    ambient::with(|node| of_system(node.begin()).saturating_add(node.steady()))
}

/// The current time. It is clamped to the years from 1970 to the end of [`Timestamp`].
///
/// Processes that share a database use the clock of the database server, so that they agree on what is
/// due; see [`follow`].
pub(crate) fn now() -> Timestamp {
    match ambient::with(|node| node.ahead()) {
        None => of_system(ambient::with(|node| node.wall())),
        Some(ahead) => Timestamp::from_millis(steady().as_millis().saturating_add(ahead)),
    }
}

/// Makes [`now`] follow another clock. That clock was read between `asked` and the present; half of
/// this time is taken as the delay of its answer.
pub(crate) fn follow(asked: Moment, told: Timestamp) {
    let half = steady().duration_since(asked.steady) / 2;
    let read = asked.steady.saturating_add(half);
    let ahead = told.as_millis().saturating_sub(read.as_millis());
    ambient::with(|node| node.set_ahead(ahead));
}

/// The current time, with the time since the last jump of the wall clock. Each reading compares the
/// clocks with the reading before it; the background task reads every few seconds.
pub(crate) fn reading() -> Reading {
    let at = moment();
    ambient::with(|node| node.watch(at)).0
}

/// The current time, if ages of up to `age` can be computed from it; see [`crate::clock_jumps::StableClock::is_believed_for`].
pub(crate) fn believed_now(age: Duration, watched: Duration) -> Option<Timestamp> {
    let at = moment();
    let (reading, clock) = ambient::with(|node| node.watch(at));
    clock.is_believed_for(age, watched).then_some(reading.now)
}

/// Converts a system time, within the bounds of [`now`].
pub(crate) fn of_system(time: SystemTime) -> Timestamp {
    let elapsed = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::default().saturating_add(elapsed)
}

#[cfg(test)]
mod tests {
    use super::{moment, of_system};
    use payment_model::Timestamp;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn both_clocks_begin_together() {
        let begun = moment();
        let apart = begun.wall.duration_since(begun.steady);
        assert!(apart.max(begun.steady.duration_since(begun.wall)) < Duration::from_secs(1));
        assert!(moment().steady >= begun.steady);
    }

    #[test]
    fn a_system_before_1970_reads_as_1970() {
        let early = UNIX_EPOCH - Duration::from_secs(1);
        assert_eq!(of_system(early), Timestamp::default());
        let late = UNIX_EPOCH + Duration::from_secs(1);
        assert_eq!(of_system(late), Timestamp::from_secs(1));
    }
}
