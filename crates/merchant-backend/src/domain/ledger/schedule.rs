//! When the refunds of an operation are looked up though nobody asks.

use super::reversal_record::ReversalRecord;
use super::state::Ledger;
use crate::clock::Millis;
use staff_model::{AttemptState, ReversalState};

const SECOND: Millis = 1000;
const MINUTE: Millis = 60 * SECOND;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// For how long a doubt is looked at; after that it is the staff's alone, on whose list it stands.
const DOUBT_ENDS: Millis = 30 * DAY;
/// For how long a refund is followed that does not come to its end.
const REFUND_ENDS: Millis = 180 * DAY;

impl Ledger {
    /// Plans the next look after one that succeeded or failed, or after a change.
    pub(crate) fn plan(&mut self, now: Millis) {
        self.watch.due_at = self.pause(now).map(|pause| now.saturating_add(pause));
    }

    /// How long to wait before the next look; `None` when there is nothing left to see.
    ///
    /// | State | Looks | End |
    /// |---|---|---|
    /// | an attempt or a reversal in doubt | 2 s, after a minute 10 s, after ten 5 min, after a day hourly | after 30 days, on the staff's list |
    /// | a refund that is not at its end | 5 s to 5 min in the first hour, then hourly, after a week daily | after 180 days |
    /// | an attempt that was released | hourly | after a day |
    /// | refused, or at its end | none | |
    fn pause(&self, now: Millis) -> Option<Millis> {
        let doubts = self.attempts.iter().filter(|attempt| {
            attempt.state == AttemptState::InDoubt
                || (attempt.state == AttemptState::Sending && attempt.begun_at.is_some())
        });
        let doubt = doubts
            .filter_map(|attempt| pause_of_doubt(now.saturating_sub(attempt.changed_at)))
            .min();
        let open = self
            .refunds
            .iter()
            .filter(|record| !record.refund.state.is_final());
        let open = open
            .filter_map(|record| pause_of_refund(now.saturating_sub(record.changed_at)))
            .min();
        // A released refund may turn up: it is looked for as long as a doubt is looked at often.
        let released = self.attempts.iter().filter(|attempt| {
            attempt.state == AttemptState::Released && now.saturating_sub(attempt.changed_at) < DAY
        });
        let released = released.map(|_| HOUR).min();
        let reversal = self.pause_of_reversal(now);
        let regular = [doubt, open, released, reversal]
            .into_iter()
            .flatten()
            .min()?;
        let patience = (SECOND << self.watch.failures.min(6)).min(MINUTE);
        Some(if self.watch.failures == 0 {
            regular
        } else {
            regular.max(patience)
        })
    }
}

impl Ledger {
    /// A state of the operation is awaited that ends a reversal in doubt. Without a
    /// transaction there is nothing to ask by.
    pub(crate) fn awaits_a_state(&self) -> bool {
        let unknown = |own: &ReversalRecord| own.state == ReversalState::InDoubt;
        self.transaction_id.is_some() && self.reversals.iter().any(unknown)
    }

    /// The service's list of refunds is to be looked up.
    pub(crate) fn awaits_a_list(&self, now: Millis) -> bool {
        let mut refunds_alone = self.clone();
        refunds_alone.reversals.clear();
        refunds_alone.pause(now).is_some()
    }

    /// An end is learned as soon as a refund that is in doubt.
    fn pause_of_reversal(&self, now: Millis) -> Option<Millis> {
        let awaited = self.pending_reversal().filter(|_| self.awaits_a_state())?;
        pause_of_doubt(now.saturating_sub(awaited.changed_at))
    }
}

fn pause_of_doubt(age: Millis) -> Option<Millis> {
    Some(match age {
        ..MINUTE => 2 * SECOND,
        MINUTE..600_000 => 10 * SECOND,
        600_000..DAY => 5 * MINUTE,
        DAY..DOUBT_ENDS => HOUR,
        _ => return None,
    })
}

/// Refunds take days.
fn pause_of_refund(age: Millis) -> Option<Millis> {
    const WEEK: Millis = 7 * DAY;
    Some(match age {
        ..MINUTE => 5 * SECOND,
        MINUTE..600_000 => 30 * SECOND,
        600_000..HOUR => 5 * MINUTE,
        HOUR..WEEK => HOUR,
        WEEK..REFUND_ENDS => DAY,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{DAY, DOUBT_ENDS, HOUR, MINUTE, REFUND_ENDS, SECOND};
    use crate::amount_units::AmountUnits::Cents;
    use crate::domain::ledger::fixture::{doubtful, ledger, refund};
    use crate::domain::ledger::{Ledger, NewReversal, Purpose, Release, ReversalEnd};

    fn pause(ledger: &Ledger, now: i64) -> Option<i64> {
        let mut ledger = ledger.clone();
        ledger.plan(now);
        ledger.watch.due_at.map(|due| due - now)
    }

    #[test]
    fn a_refund_is_watched_ever_more_slowly_until_it_ends() {
        let mut open = ledger();
        assert_eq!(pause(&open, 0), None);
        open.take(&[refund("r", "REGISTERED", "1")], Cents, 0);
        for (age, expected) in [
            (0, Some(5 * SECOND)),
            (MINUTE, Some(30 * SECOND)),
            (HOUR / 2, Some(5 * MINUTE)),
            (7 * DAY - 1, Some(HOUR)),
            (7 * DAY, Some(DAY)),
            (REFUND_ENDS - 1, Some(DAY)),
            (REFUND_ENDS, None),
        ] {
            assert_eq!(pause(&open, age), expected, "{age}");
        }
        open.take(&[refund("r", "NEW", "1")], Cents, 0);
        assert_eq!(pause(&open, 0), Some(5 * SECOND));
        open.take(&[refund("r", "RESOLVED", "1")], Cents, 0);
        assert_eq!(pause(&open, 0), None);
    }

    #[test]
    fn a_reversal_in_doubt_is_looked_at_while_there_is_something_to_ask_by() {
        let new = NewReversal {
            id: "v".to_owned(),
            purpose: Purpose::Reverse,
            staff: None,
            asked_at: 0,
            lost_for: HOUR,
        };
        let mut doubt = ledger();
        doubt.reserve_reversal(new, 0);
        assert_eq!(pause(&doubt, 0), None);
        doubt.end_reversal("v", ReversalEnd::InDoubt(String::new()), 0);
        assert_eq!(pause(&doubt, 0), Some(2 * SECOND));
        assert_eq!(pause(&doubt, DAY), Some(HOUR));
        assert_eq!(pause(&doubt, DOUBT_ENDS), None);
        assert!(doubt.awaits_a_state() && !doubt.awaits_a_list(0));
        doubt.transaction_id = None;
        assert_eq!(pause(&doubt, 0), None);
    }

    #[test]
    fn a_doubt_is_looked_at_until_it_is_settled_and_a_day_after_a_release() {
        let mut doubt = doubtful("a", 10, 0);
        assert_eq!(pause(&doubt, 0), Some(2 * SECOND));
        assert_eq!(pause(&doubt, DAY - 1), Some(5 * MINUTE));
        assert_eq!(pause(&doubt, DAY), Some(HOUR));
        assert_eq!(pause(&doubt, DOUBT_ENDS - 1), Some(HOUR));
        assert_eq!(pause(&doubt, DOUBT_ENDS), None);
        doubt.watch.failures = 5;
        assert_eq!(pause(&doubt, 0), Some(32 * SECOND));
        doubt.watch.failures = 60;
        assert_eq!(pause(&doubt, 0), Some(MINUTE));
        doubt.watch.failures = 0;
        let release = Release {
            by: "bea".to_owned(),
            at: 0,
            reason: "asked".to_owned(),
        };
        doubt.release("a", release).unwrap();
        assert_eq!(pause(&doubt, HOUR), Some(HOUR));
        assert_eq!(pause(&doubt, DAY), None);
    }
}
