//! Operations about which the service gives no usable answer, and the end of their watch by staff.

use super::{OperationRecord, Phase};
use crate::timing::HOUR;
use payment_model::{Outcome, Timestamp};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long there is no usable answer about an operation before staff see it on their list, and
/// programs of the shop read that it is unconfirmed.
pub const UNANSWERED_LISTED_AFTER: Duration = HOUR;

/// A query without a usable answer, whatever the cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryFailure {
    /// The cause, in words for staff; it quotes nothing of the answer.
    pub reason: String,
    /// The service answered that it does not know the operation.
    pub is_unknown_there: bool,
}

/// The time without a usable answer about an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unanswered {
    /// When the first of these queries failed.
    pub since: Timestamp,
    /// Why the last one failed, in words for staff.
    pub reason: String,
}

impl OperationRecord {
    /// True once there was no usable answer for so long that staff have to look.
    pub fn is_long_unanswered(&self, now: Timestamp) -> bool {
        let long = |one: &Unanswered| now.duration_since(one.since) >= UNANSWERED_LISTED_AFTER;
        self.unanswered.as_ref().is_some_and(long)
    }

    pub(super) fn note_unanswered(&mut self, reason: &str, now: Timestamp) {
        let since = self.unanswered.as_ref().map_or(now, |one| one.since);
        let reason = reason.to_owned();
        self.unanswered = Some(Unanswered { since, reason });
    }

    pub(super) fn count_failure(&mut self, failure: &QueryFailure, now: Timestamp) {
        // The service may forget what is over, and a payment whose watch ends anyway.
        let is_over = match self.outcome() {
            Some(Outcome::Paid) => self.is_watched_out(now),
            Some(_) => true,
            None => false,
        };
        if failure.is_unknown_there && is_over {
            self.failures = 0;
            self.unanswered = None;
            return;
        }
        if self.watch_ended_at.is_some() && self.hinted_at.is_none() {
            return;
        }
        self.watch_ended_at = None;
        self.note_unanswered(&failure.reason, now);
        self.failures = self.failures.saturating_add(1);
    }

    /// Ends the watch of an operation without a usable answer, since staff compared it with the
    /// service and found that nothing was paid. A notification begins the watch again.
    ///
    /// False for an operation that staff do not have to look at, or whose outcome is known.
    pub fn end_watch(&mut self, now: Timestamp) -> bool {
        let may =
            self.is_long_unanswered(now) && self.phase == Phase::Known && self.outcome().is_none();
        if may {
            self.watch_ended_at = Some(now);
            self.unanswered = None;
            self.hinted_at = None;
            self.due_at = None;
            self.live = false;
            self.blocked_since = None;
        }
        may
    }
}

#[cfg(test)]
mod tests {
    use super::{QueryFailure, UNANSWERED_LISTED_AFTER};
    use crate::operation::OperationRecord;
    use crate::operation::fixture::{apply, pending, transaction, with_state};
    use crate::timing::{DAY, HOUR, SECOND};
    use payment_model::Timestamp;
    use std::time::Duration;

    fn at(age: Duration) -> Timestamp {
        Timestamp::default().saturating_add(age)
    }

    fn failure(status: Option<u16>) -> QueryFailure {
        QueryFailure {
            reason: format!("{status:?}"),
            is_unknown_there: matches!(status, Some(404 | 410)),
        }
    }

    /// Polls as planned until this age; each poll fails.
    fn fails_until(record: &mut OperationRecord, status: Option<u16>, end: Duration) -> u32 {
        let mut polls = 0;
        while let Some(due) = record.due_at.filter(|due| *due < at(end)) {
            record.query_failed(&failure(status), due);
            polls += 1;
        }
        polls
    }

    fn watched(state: &str) -> OperationRecord {
        let mut record = with_state(state, at(Duration::ZERO));
        record.plan(at(Duration::ZERO));
        record
    }

    #[test]
    fn an_operation_is_long_unanswered_after_an_hour_of_any_failures_until_a_usable_answer() {
        for status in [None, Some(404), Some(500)] {
            let mut record = watched("PENDIENTE");
            fails_until(&mut record, status, UNANSWERED_LISTED_AFTER);
            let since = record.unanswered.clone().unwrap();
            assert_eq!(since.reason, format!("{status:?}"));
            let listed = since.since.saturating_add(UNANSWERED_LISTED_AFTER);
            assert!(!record.is_long_unanswered(listed.saturating_sub(SECOND)));
            assert!(record.is_long_unanswered(listed));
            apply(&mut record, &transaction("PENDIENTE", &[]), listed);
            assert_eq!(record.unanswered, None);
        }
    }

    #[test]
    fn no_watch_ends_with_a_failure_and_after_a_month_it_polls_once_a_day() {
        for state in ["PENDIENTE", "NUEVO", "AUTORIZADO", "EXPIRADO"] {
            let mut record = watched(state);
            fails_until(&mut record, Some(500), 200 * DAY);
            let polls = fails_until(&mut record, Some(500), 210 * DAY);
            assert_eq!(polls, 10, "{state}");
            let paid = transaction("AUTORIZADO", &["PENDIENTE", "AUTORIZADO"]);
            apply(&mut record, &paid, at(210 * DAY));
            assert!(record.is_paid(), "{state}");
        }
    }

    #[test]
    fn an_operation_that_ended_unpaid_may_be_forgotten_by_the_service() {
        let mut expired = watched("EXPIRADO");
        fails_until(&mut expired, Some(404), 2 * DAY);
        assert_eq!((expired.due_at, &expired.unanswered), (None, &None));
        let mut paid = watched("AUTORIZADO");
        fails_until(&mut paid, Some(404), 2 * HOUR);
        assert!(paid.unanswered.is_some());
    }

    #[test]
    fn staff_end_only_the_watch_of_an_operation_without_an_answer_and_without_an_outcome() {
        let mut waiting = watched("PENDIENTE");
        assert!(!waiting.end_watch(at(2 * HOUR)));
        fails_until(&mut waiting, None, HOUR);
        assert!(!waiting.clone().end_watch(at(HOUR)));
        assert!(waiting.end_watch(at(2 * HOUR)));
        assert!(!waiting.live && waiting.due_at.is_none());
        let mut paid = watched("AUTORIZADO");
        fails_until(&mut paid, None, 3 * HOUR);
        assert!(paid.is_long_unanswered(at(3 * HOUR)) && !paid.end_watch(at(3 * HOUR)));
    }

    #[test]
    fn after_the_end_of_the_watch_only_a_notification_or_a_usable_answer_begins_it_again() {
        let mut ended = pending();
        ended.plan(at(SECOND));
        fails_until(&mut ended, None, HOUR);
        assert!(ended.end_watch(at(2 * HOUR)));
        let mut asked_by_staff = ended.clone();
        asked_by_staff.query_failed(&failure(None), at(2 * HOUR));
        assert_eq!(asked_by_staff, ended);
        let mut notified = ended.clone();
        notified.hinted_at = Some(at(2 * HOUR));
        notified.query_failed(&failure(None), at(2 * HOUR));
        assert!(notified.due_at.is_some() && notified.watch_ended_at.is_none());
        let paid = transaction("AUTORIZADO", &["PENDIENTE", "AUTORIZADO"]);
        apply(&mut ended, &paid, at(3 * HOUR));
        assert!(ended.is_paid() && ended.paid_late_at.is_some());
    }
}
