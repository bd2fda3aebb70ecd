//! Plans when the background polls an operation, and ends the watch of one that has had no usable answer for long.

use super::transition::Verdict;
use super::{OperationRecord, Phase};
use crate::timing::{DAY, HOUR, MINUTE, Reading, SECOND, doubled, fraction, stepped};
use payment_model::{Outcome, PaymentMethodName, Timestamp};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// For how long an answer of the service that it does not know the operation does not settle a
/// doubt, because the request may still arrive.
pub const REQUEST_MAY_ARRIVE_FOR: Duration = Duration::from_mins(10);

/// For how long the background settles a doubt by cancellations. After that, only staff can settle
/// it.
pub const DOUBT_SETTLED_FOR: Duration = DAY;

/// How long an order is blocked before staff see it on their list and may release it.
pub const BLOCK_LISTED_AFTER: Duration = Duration::from_mins(15);

/// How long the announcement of a payment is held back before staff see it on their list.
pub const HELD_PAYMENT_LISTED_AFTER: Duration = Duration::from_mins(10);

/// For how long after its deadline an unpaid operation is polled.
const UNPAID_WATCHED_FOR: Duration = Duration::from_hours(30 * 24);

/// Until this age a payment is polled every hour.
const PAID_POLLED_HOURLY_UNTIL: Duration = Duration::from_hours(3 * 24);
/// Until this age a payment is polled every day; after that it is not polled.
const PAID_POLLED_DAILY_UNTIL: Duration = Duration::from_hours(180 * 24);

const FIVE_MINUTES: Duration = Duration::from_mins(5);

impl OperationRecord {
    /// True when both records are equal apart from the plan of the next poll.
    pub fn differs_only_in_plan(&self, other: &Self) -> bool {
        let planned = Self {
            due_at: other.due_at,
            failures: other.failures,
            hinted_at: other.hinted_at,
            ..self.clone()
        };
        planned == *other
    }
}

impl OperationRecord {
    /// Plans the next poll after one that succeeded or failed, or after a change.
    pub fn plan(&mut self, now: Timestamp) {
        self.due_at = self.pause(now).map(|pause| now.saturating_add(pause));
    }

    /// True while the background is about to settle whether the service has the operation. That is
    /// the first minute, until the service says that it does not know the operation.
    pub fn is_being_settled(&self, now: Timestamp) -> bool {
        let young = now.duration_since(self.created_at) < MINUTE;
        self.phase == Phase::InDoubt && self.is_shown_by_us() && self.unknown_at.is_none() && young
    }

    /// How long to wait before the next poll; `None` when a poll cannot bring a change.
    ///
    /// | State | Polls | End |
    /// |---|---|---|
    /// | in doubt, our code | 1 to 20 s, after 10 min 1 to 5 min, after an hour hourly | after a day, on the staff's list |
    /// | in doubt, a code that comes by another way | none | on the staff's list |
    /// | waits, or unknown | the polling schedule; past the deadline 5 min, after a day hourly | 30 days past the deadline |
    /// | paid, settled | hourly for three days, then daily | after half a year |
    /// | declined, invalid, canceled, expired, reversed | hourly | after a day |
    /// | one of these, and the last poll failed | as above, then daily | with the next usable answer |
    /// | refused, lost, or the watch was ended by staff | none | |
    fn pause(&self, now: Timestamp) -> Option<Duration> {
        let regular = match self.phase {
            Phase::Sending | Phase::Refused | Phase::Lost => return None,
            // Without a transaction the server cannot query the operation, so only staff can settle
            // this doubt.
            Phase::InDoubt if !self.is_shown_by_us() => return None,
            Phase::InDoubt => return self.pause_of_doubt(now),
            Phase::Known => self.regular_pause(now)?,
        };
        // A failing service is polled less often, but within 10 s of its recovery.
        Some(if self.failures == 0 {
            regular
        } else {
            regular.max(doubled(SECOND, self.failures, Duration::from_secs(10)))
        })
    }

    /// The pause of an operation in doubt. It grows, because each poll is a cancellation, which
    /// burdens a failing service.
    fn pause_of_doubt(&self, now: Timestamp) -> Option<Duration> {
        let age = now.duration_since(self.created_at);
        let first = doubled(SECOND, self.failures, Duration::from_secs(20));
        let then = fraction(age, 10, [MINUTE, FIVE_MINUTES]);
        stepped(
            age,
            &[
                (REQUEST_MAY_ARRIVE_FOR, first),
                (HOUR, then),
                (DOUBT_SETTLED_FOR, HOUR),
            ],
        )
    }

    fn regular_pause(&self, now: Timestamp) -> Option<Duration> {
        self.state()?;
        if self.watch_ended_at.is_some() {
            return None;
        }
        // A watch that ended with a failure would miss what happened since the last answer.
        let unanswered = (self.failures > 0).then_some(DAY);
        self.planned_pause(now).or(unanswered)
    }

    /// True for a paid operation that is not polled any more, unless its last poll failed.
    pub(super) fn is_watched_out(&self, now: Timestamp) -> bool {
        self.planned_pause(now).is_none()
    }

    fn planned_pause(&self, now: Timestamp) -> Option<Duration> {
        match self.outcome() {
            // A second answer has to confirm the reversal.
            Some(Outcome::Paid) if self.reversal_seen_at.is_some() => Some(SECOND),
            // A second answer has to confirm that the payment is in force again.
            Some(Outcome::Reversed) if self.may_be_paid_again() => Some(SECOND),
            Some(_) if self.may_be_paid_after_all() => Some(MINUTE),
            // A payment may end late, by a reversal in the service's portal or a refusal of the
            // bank.
            Some(Outcome::Paid) => {
                let age = now.duration_since(self.changed_at);
                stepped(
                    age,
                    &[
                        (PAID_POLLED_HOURLY_UNTIL, HOUR),
                        (PAID_POLLED_DAILY_UNTIL, DAY),
                    ],
                )
            }
            Some(_) => (now.duration_since(self.changed_at) < DAY).then_some(HOUR),
            None => {
                let pause = self.waiting_pause(now);
                (now.duration_since(self.deadline()) < UNPAID_WATCHED_FOR).then_some(pause)
            }
        }
    }

    /// Notes that the cancellation that was to settle a doubt failed. `status` is the HTTP status
    /// of the service, if it answered: with 404 or 410 it does not know the operation. The
    /// operation is lost once neither its request nor an earlier cancellation can still arrive.
    pub fn settlement_failed(
        &mut self,
        status: Option<u16>,
        cancellation_may_arrive: bool,
        at: Reading,
    ) {
        if self.phase == Phase::InDoubt && matches!(status, Some(404 | 410)) {
            self.unknown_at = Some(at.now);
            if !cancellation_may_arrive
                && at.min_elapsed_since(self.created_at) > REQUEST_MAY_ARRIVE_FOR
            {
                self.phase = Phase::Lost;
                self.changed_at = at.now;
            }
        }
        self.postpone(at.now);
    }

    /// Plans the next poll after one that brought nothing, although the service was not asked about
    /// the operation.
    pub fn postpone(&mut self, now: Timestamp) {
        self.failures = self.failures.saturating_add(1);
        self.plan(now);
    }

    /// Notes a query without a usable answer, and plans the next one.
    pub fn query_failed(&mut self, failure: &QueryFailure, now: Timestamp) {
        self.count_failure(failure, now);
        self.plan(now);
    }

    /// Notes a query without a usable answer whose transaction id came from a notification, and
    /// plans the next one. It is repeated until it has an answer.
    pub fn hinted_query_failed(&mut self, failure: &QueryFailure, now: Timestamp) {
        self.count_failure(failure, now);
        let age = now.duration_since(self.created_at);
        let longest = stepped(age, &[(UNPAID_WATCHED_FOR, FIVE_MINUTES)]).unwrap_or(DAY);
        let pause = doubled(SECOND, self.failures, longest);
        self.due_at = Some(now.saturating_add(pause));
    }

    /// Plans the next poll after an answer. An answer that is not believed counts as a failure.
    pub fn plan_after_answer(&mut self, verdict: Verdict, now: Timestamp) {
        self.failures = match verdict.is_believed() {
            true => 0,
            false => self.failures.saturating_add(1),
        };
        self.plan(now);
    }

    /// Plans the next poll not before the end of a time in which the service wants no
    /// cancellations.
    pub fn plan_after_backoff(&mut self, backoff: Duration, now: Timestamp) {
        self.plan(now);
        let end = now.saturating_add(backoff);
        self.due_at = self.due_at.map(|due| due.max(end));
    }

    /// Stops the polls: only staff may cancel the operation.
    pub fn leave_to_staff(&mut self) {
        self.due_at = None;
    }

    /// Plans to withdraw the operation again, after a withdrawal failed or the service asked for a
    /// backoff of this length.
    pub fn plan_withdrawal(&mut self, now: Timestamp, backoff: Duration) {
        let age = now.duration_since(self.created_at);
        let pause = fraction(age, 4, [Duration::from_secs(20), HOUR]);
        self.due_at = Some(now.saturating_add(pause.max(backoff)));
    }

    /// For how long a payer who polls a waiting operation gets the stored state without a new
    /// query. Failures do not make it longer: they slow down the background, and not the payer.
    pub fn fresh_for_payer(&self, now: Timestamp) -> Duration {
        let polled_at = self.queried_at.unwrap_or(self.created_at);
        let pause = self.waiting_pause(now);
        // A poll with an instant in the future was made before the clock was set back.
        let age = now.checked_duration_since(polled_at);
        age.map_or(Duration::ZERO, |age| pause.saturating_sub(age))
    }

    fn deadline(&self) -> Timestamp {
        self.expires_at()
            .unwrap_or_else(|| self.created_at.saturating_add(HOUR))
    }

    /// The pause of a waiting operation, which grows once the deadline is long over.
    fn waiting_pause(&self, now: Timestamp) -> Duration {
        let age = now.duration_since(self.created_at);
        let regular = if is_slow(&self.method) {
            fraction(age, 4, [Duration::from_secs(30), FIVE_MINUTES])
        } else {
            polling_pause(age)
        };
        let late = now.duration_since(self.deadline());
        stepped(late, &[(HOUR, regular), (DAY, FIVE_MINUTES)]).unwrap_or(HOUR)
    }
}

/// True for a method whose payments take hours: cash codes and bank transfers.
fn is_slow(method: &PaymentMethodName) -> bool {
    matches!(
        method,
        PaymentMethodName::CashCode | PaymentMethodName::BankTransfer
    )
}

/// The pause between two polls of a waiting payment of this age.
fn polling_pause(age: Duration) -> Duration {
    let steps = [
        (MINUTE, Duration::from_secs(2)),
        (Duration::from_secs(70), Duration::from_secs(3)),
        (Duration::from_secs(90), Duration::from_millis(4500)),
        (Duration::from_secs(120), Duration::from_millis(6750)),
        (FIVE_MINUTES, Duration::from_secs(10)),
    ];
    stepped(age, &steps).unwrap_or(Duration::from_secs(15))
}

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
mod tests;

#[cfg(test)]
mod unanswered_tests;
