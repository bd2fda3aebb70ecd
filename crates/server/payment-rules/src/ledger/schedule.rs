//! Plans when the background polls the refunds and reversals of an operation.

use super::Ledger;
use super::reversals::ReversalRecord;
use crate::timing::{DAY, HOUR, MINUTE, SECOND, doubled, stepped};
use payment_model::Timestamp;
use staff_model::{AttemptState, ReversalState};
use std::time::Duration;

const TEN_MINUTES: Duration = Duration::from_mins(10);
const FIVE_MINUTES: Duration = Duration::from_mins(5);

/// For how long a doubt is polled. After that it stays on the staff's list, and only staff can end
/// it.
const DOUBT_POLLED_FOR: Duration = Duration::from_hours(30 * 24);
/// For how long an open refund is polled.
const REFUND_POLLED_FOR: Duration = Duration::from_hours(180 * 24);

/// For how long a refund may be open before staff see it on their list. A refund takes days.
pub const REFUND_LISTED_AFTER: Duration = Duration::from_hours(14 * 24);
/// For how long a return may be open before staff see it on their list.
pub const RETURN_LISTED_AFTER: Duration = Duration::from_hours(24);

impl Ledger {
    /// Plans the next poll after one that succeeded or failed, or after a change.
    pub fn plan(&mut self, now: Timestamp) {
        self.watch.due_at = self.pause(now).map(|pause| now.saturating_add(pause));
    }

    /// How long to wait before the next poll; `None` when a poll cannot bring a change.
    ///
    /// | State | Polls | End |
    /// |---|---|---|
    /// | an attempt or a reversal in doubt | 2 s, after a minute 10 s, after ten 5 min, after a day hourly | after 30 days, on the staff's list |
    /// | a refund that is not at its end | 5 s to 5 min in the first hour, then hourly, after a week daily | after 180 days |
    /// | an attempt that was released | hourly | after a day |
    /// | a refund that one list called rejected after it was resolved | 1 s | with the next list |
    /// | refused, or at its end | none | |
    fn pause(&self, now: Timestamp) -> Option<Duration> {
        let doubts = self.attempts.iter().filter(|attempt| {
            attempt.state == AttemptState::InDoubt
                || (attempt.state == AttemptState::Sending && attempt.begun_at.is_some())
        });
        let doubt = doubts
            .filter_map(|attempt| pause_of_doubt(now.duration_since(attempt.changed_at)))
            .min();
        let open = self
            .refunds
            .iter()
            .filter(|record| !record.refund.state.is_final());
        let open = open
            .filter_map(|record| pause_of_refund(now.duration_since(record.changed_at)))
            .min();
        // A released refund may still appear, so the list is polled for as long as doubts are
        // polled often.
        let released = self.attempts.iter().filter(|attempt| {
            attempt.state == AttemptState::Released && now.duration_since(attempt.changed_at) < DAY
        });
        let released = released.map(|_| HOUR).min();
        let reversal = self.pause_of_reversal(now);
        let denied = self.refunds.iter().filter(|one| one.is_to_be_confirmed());
        let denied = denied.map(|_| SECOND).min();
        let regular = [doubt, open, released, reversal, denied]
            .into_iter()
            .flatten()
            .min()?;
        let patience = doubled(SECOND, self.watch.failures, MINUTE);
        Some(if self.watch.failures == 0 {
            regular
        } else {
            regular.max(patience)
        })
    }
}

impl Ledger {
    /// Notes that a query that began at this instant had a complete list, whose refunds were
    /// merged.
    pub fn complete_list_came(&mut self, began: Timestamp, now: Timestamp) {
        self.watch.failures = 0;
        self.watch.complete_at = Some(began);
        self.end_unprocessed(began, now);
        self.plan(now);
    }

    /// Notes a query without a complete list. The next one waits longer.
    pub fn list_query_failed(&mut self, now: Timestamp) {
        self.watch.failures = self.watch.failures.saturating_add(1);
        self.plan(now);
    }

    /// Notes a query of the operation's state that was to end a reversal in doubt.
    pub fn state_was_queried(&mut self, answered: bool, now: Timestamp) {
        self.watch.failures = if answered {
            0
        } else {
            self.watch.failures.saturating_add(1)
        };
        self.plan(now);
    }

    /// True while a state of the operation can end a reversal in doubt. Without a transaction the
    /// server cannot ask for one.
    pub fn awaits_a_state(&self) -> bool {
        let unknown = |own: &ReversalRecord| own.state == ReversalState::InDoubt;
        self.transaction_id.is_some() && self.reversals.iter().any(unknown)
    }

    /// True while the service's list of refunds has to be polled.
    pub fn awaits_a_list(&self, now: Timestamp) -> bool {
        let mut without_reversals = self.clone();
        without_reversals.reversals.clear();
        without_reversals.pause(now).is_some()
    }

    /// A reversal in doubt is polled as often as a refund in doubt.
    fn pause_of_reversal(&self, now: Timestamp) -> Option<Duration> {
        let awaited = self.pending_reversal().filter(|_| self.awaits_a_state())?;
        pause_of_doubt(now.duration_since(awaited.changed_at))
    }
}

fn pause_of_doubt(age: Duration) -> Option<Duration> {
    let steps = [
        (MINUTE, Duration::from_secs(2)),
        (TEN_MINUTES, Duration::from_secs(10)),
        (DAY, FIVE_MINUTES),
        (DOUBT_POLLED_FOR, HOUR),
    ];
    stepped(age, &steps)
}

/// Refunds take days.
fn pause_of_refund(age: Duration) -> Option<Duration> {
    const WEEK: Duration = Duration::from_hours(7 * 24);
    let steps = [
        (MINUTE, Duration::from_secs(5)),
        (TEN_MINUTES, Duration::from_secs(30)),
        (HOUR, FIVE_MINUTES),
        (WEEK, HOUR),
        (REFUND_POLLED_FOR, DAY),
    ];
    stepped(age, &steps)
}

#[cfg(test)]
mod tests {
    use super::{DAY, DOUBT_POLLED_FOR, HOUR, MINUTE, REFUND_POLLED_FOR, SECOND};
    use crate::ledger::fixture::{doubtful, ledger, proof, refund, reserve, reversal};
    use crate::ledger::{Ledger, Purpose, Release};
    use crate::operation::fixture::reading;
    use crate::outgoing::SendFailure;
    use crate::service_answers::AmountUnits::Cents;
    use payment_model::{RefundId, Timestamp};
    use std::time::Duration;

    const MILLISECOND: Duration = Duration::from_millis(1);

    fn begun() -> Timestamp {
        Timestamp::default()
    }

    fn pause(ledger: &Ledger, age: Duration) -> Option<Duration> {
        let mut ledger = ledger.clone();
        let now = begun().saturating_add(age);
        ledger.plan(now);
        ledger.watch.due_at.map(|due| due.duration_since(now))
    }

    #[test]
    fn a_doubt_is_looked_at_for_a_month_and_a_refund_for_half_a_year() {
        assert_eq!((DOUBT_POLLED_FOR, REFUND_POLLED_FOR), (30 * DAY, 180 * DAY));
    }

    #[test]
    fn a_refund_is_watched_ever_more_slowly_until_it_ends() {
        let mut open = ledger();
        assert_eq!(pause(&open, Duration::ZERO), None);
        open.merge_refunds(&[refund("r", "REGISTERED", "1")], Cents, begun());
        for (age, expected) in [
            (Duration::ZERO, Some(5 * SECOND)),
            (MINUTE, Some(30 * SECOND)),
            (HOUR / 2, Some(5 * MINUTE)),
            (7 * DAY - MILLISECOND, Some(HOUR)),
            (7 * DAY, Some(DAY)),
            (REFUND_POLLED_FOR - MILLISECOND, Some(DAY)),
            (REFUND_POLLED_FOR, None),
        ] {
            assert_eq!(pause(&open, age), expected, "{age:?}");
        }
        open.merge_refunds(&[refund("r", "NEW", "1")], Cents, begun());
        assert_eq!(pause(&open, Duration::ZERO), Some(5 * SECOND));
        open.merge_refunds(&[refund("r", "RESOLVED", "1")], Cents, begun());
        assert_eq!(pause(&open, Duration::ZERO), None);
    }

    #[test]
    fn a_reversal_in_doubt_is_looked_at_while_there_is_something_to_ask_by() {
        let new = reversal("v", Purpose::Reverse, begun());
        let mut doubt = ledger();
        doubt.reserve_reversal(new, reading(begun()));
        assert_eq!(pause(&doubt, Duration::ZERO), None);
        doubt.end_reversal("v", SendFailure::NoAnswer.because(""), reading(begun()));
        assert_eq!(pause(&doubt, Duration::ZERO), Some(2 * SECOND));
        assert_eq!(pause(&doubt, DAY), Some(HOUR));
        assert_eq!(pause(&doubt, DOUBT_POLLED_FOR), None);
        assert!(doubt.awaits_a_state() && !doubt.awaits_a_list(begun()));
        doubt.transaction_id = None;
        assert_eq!(pause(&doubt, Duration::ZERO), None);
    }

    #[test]
    fn a_list_is_awaited_while_it_can_bring_news_of_a_refund() {
        let now = begun();
        assert!(!ledger().awaits_a_list(now) && !ledger().awaits_a_state());
        let doubt = doubtful("a", 10, now);
        assert!(doubt.awaits_a_list(now) && !doubt.awaits_a_state());
        let mut open = ledger();
        open.merge_refunds(&[refund("r", "REGISTERED", "1")], Cents, now);
        assert!(open.awaits_a_list(now) && !open.awaits_a_state());
        assert!(!open.awaits_a_list(now.saturating_add(REFUND_POLLED_FOR)));
        open.merge_refunds(&[refund("r", "RESOLVED", "1")], Cents, now);
        assert!(!open.awaits_a_list(now));
    }

    #[test]
    fn an_attempt_is_looked_for_from_the_moment_it_leaves() {
        let mut sending = ledger();
        reserve(&mut sending, "a", 10, begun());
        assert_eq!(pause(&sending, Duration::ZERO), None);
        assert!(sending.begin("a", begun()));
        assert_eq!(pause(&sending, Duration::ZERO), Some(2 * SECOND));
        sending.register("a", RefundId::new("r"), begun());
        assert_eq!(pause(&sending, Duration::ZERO), None);
    }

    #[test]
    fn the_most_urgent_look_decides() {
        let mut several = doubtful("a", 10, begun());
        several.merge_refunds(&[refund("r", "REGISTERED", "1")], Cents, begun());
        for (age, expected) in [
            (Duration::ZERO, 2 * SECOND),
            (DAY, HOUR),
            (DOUBT_POLLED_FOR, DAY),
        ] {
            assert_eq!(pause(&several, age), Some(expected), "{age:?}");
        }
    }

    #[test]
    fn a_doubt_is_looked_at_until_it_is_settled_and_a_day_after_a_release() {
        let mut doubt = doubtful("a", 10, begun());
        assert_eq!(pause(&doubt, Duration::ZERO), Some(2 * SECOND));
        assert_eq!(pause(&doubt, DAY - MILLISECOND), Some(5 * MINUTE));
        assert_eq!(pause(&doubt, DAY), Some(HOUR));
        assert_eq!(pause(&doubt, DOUBT_POLLED_FOR - MILLISECOND), Some(HOUR));
        assert_eq!(pause(&doubt, DOUBT_POLLED_FOR), None);
        doubt.watch.failures = 5;
        assert_eq!(pause(&doubt, Duration::ZERO), Some(32 * SECOND));
        doubt.watch.failures = 60;
        assert_eq!(pause(&doubt, Duration::ZERO), Some(MINUTE));
        doubt.watch.failures = 0;
        let release = Release {
            by: "bea".to_owned(),
            at: begun(),
            reason: "asked".to_owned(),
        };
        doubt
            .release("a", release, proof(), reading(begun()))
            .unwrap();
        assert_eq!(pause(&doubt, HOUR), Some(HOUR));
        assert_eq!(pause(&doubt, DAY), None);
    }
}
