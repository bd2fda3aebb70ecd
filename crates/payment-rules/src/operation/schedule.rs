//! Plans the looks at an operation without a request.

use super::transition::Taken;
use super::{OperationRecord, Phase};
use crate::backoff::{DAY, HOUR, MINUTE, SECOND, doubled, fraction, stepped};
use crate::reading::Reading;
use payment_model::{Outcome, PaymentMethodName, Timestamp};
use std::time::Duration;

/// For how long the service's "unknown" does not settle a doubt: the request may yet arrive.
pub const DOUBT: Duration = Duration::from_mins(10);

/// For how long the background settles a doubt by cancellations; after that it is the staff's.
pub const SETTLED_FOR: Duration = DAY;

/// How long an order is blocked before staff see it and may give it free.
pub const BLOCK_LISTED: Duration = Duration::from_mins(15);

/// How long a payment is held back before staff see it.
pub const HELD_LISTED: Duration = Duration::from_mins(10);

/// How long the service's answers about an operation are not accepted before staff see it.
pub const UNACCEPTED_LISTED: Duration = Duration::from_hours(1);

/// For how long past its deadline an operation that nobody paid is watched.
const WATCH: Duration = Duration::from_hours(30 * 24);

/// For how long a payment is looked at every hour, and for how long every day.
const PAID_OFTEN: Duration = Duration::from_hours(3 * 24);
const PAID_ENDS: Duration = Duration::from_hours(180 * 24);

const FIVE_MINUTES: Duration = Duration::from_mins(5);

impl OperationRecord {
    /// True when the other one differs in nothing but when it is polled next.
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
    /// Plans the next look after one that succeeded or failed, or after a change.
    pub fn plan(&mut self, now: Timestamp) {
        self.due_at = self.pause(now).map(|pause| now.saturating_add(pause));
    }

    /// True while the background is about to settle whether the service has it: for a minute, and not
    /// after the service said that it does not know it.
    pub fn is_being_settled(&self, now: Timestamp) -> bool {
        let young = now.duration_since(self.created_at) < MINUTE;
        self.phase == Phase::InDoubt && self.is_shown_by_us() && self.unknown_at.is_none() && young
    }

    /// How long to wait before the next look; `None` when no news is possible.
    ///
    /// | State | Looks | End |
    /// |---|---|---|
    /// | in doubt, our code | 1 to 20 s, after 10 min 1 to 5 min, after an hour hourly | after a day, on the staff's list |
    /// | in doubt, a code that comes by another way | none | on the staff's list |
    /// | waits, or unknown | the polling schedule; past the deadline 5 min, after a day hourly | 30 days past the deadline |
    /// | paid, settled | hourly for three days, then daily | after half a year |
    /// | declined, invalid, canceled, expired, reversed | hourly | after a day |
    /// | refused, lost | none | |
    fn pause(&self, now: Timestamp) -> Option<Duration> {
        let regular = match self.phase {
            Phase::Sending | Phase::Refused | Phase::Lost => return None,
            // Without a transaction the server cannot ask; only staff can settle this doubt.
            Phase::InDoubt if !self.is_shown_by_us() => return None,
            Phase::InDoubt => return self.pause_of_doubt(now),
            Phase::Known => self.regular_pause(now)?,
        };
        // A service in trouble is asked less often, but within 10 s of its recovery.
        Some(if self.failures == 0 {
            regular
        } else {
            regular.max(doubled(SECOND, self.failures, Duration::from_secs(10)))
        })
    }

    /// Ever less often: each question is a cancellation, which a service in trouble needs least.
    fn pause_of_doubt(&self, now: Timestamp) -> Option<Duration> {
        let age = now.duration_since(self.created_at);
        let first = doubled(SECOND, self.failures, Duration::from_secs(20));
        let then = fraction(age, 10, [MINUTE, FIVE_MINUTES]);
        stepped(age, &[(DOUBT, first), (HOUR, then), (SETTLED_FOR, HOUR)])
    }

    fn regular_pause(&self, now: Timestamp) -> Option<Duration> {
        self.state()?;
        match self.outcome() {
            // A second answer has to tell whether the payment was given back.
            Some(Outcome::Paid) if self.reversal_seen_at.is_some() => Some(SECOND),
            // A second answer has to tell whether it was paid once more.
            Some(Outcome::Reversed) if self.is_to_be_asked_again() => Some(SECOND),
            // A reversal by another way, a refusal of the bank: the end of a payment may come late.
            Some(Outcome::Paid) => {
                let age = now.duration_since(self.changed_at);
                stepped(age, &[(PAID_OFTEN, HOUR), (PAID_ENDS, DAY)])
            }
            Some(_) => (now.duration_since(self.changed_at) < DAY).then_some(HOUR),
            None => {
                let pause = self.waiting_pause(now);
                (now.duration_since(self.deadline()) < WATCH).then_some(pause)
            }
        }
    }

    /// Notes that the cancellation that was to settle a doubt failed; `status` is the service's, if it
    /// answered. With 404 or 410 the service does not know the operation. The operation is lost once
    /// neither its request nor an earlier cancellation can still arrive.
    pub fn settlement_failed(
        &mut self,
        status: Option<u16>,
        cancellation_may_arrive: bool,
        at: Reading,
    ) {
        if self.phase == Phase::InDoubt && matches!(status, Some(404 | 410)) {
            self.unknown_at = Some(at.now);
            if !cancellation_may_arrive && at.proven_since(self.created_at) > DOUBT {
                self.phase = Phase::Lost;
                self.changed_at = at.now;
            }
        }
        self.query_failed(false, at.now);
    }

    /// Notes a query without a usable answer, and plans the next one.
    pub fn query_failed(&mut self, unaccepted: bool, now: Timestamp) {
        self.count_failure(unaccepted, now);
        self.plan(now);
    }

    /// Notes such a query by a hinted transaction id. It is repeated until it is answered.
    pub fn hinted_query_failed(&mut self, unaccepted: bool, now: Timestamp) {
        self.count_failure(unaccepted, now);
        let pause = doubled(SECOND, self.failures, FIVE_MINUTES);
        self.due_at = Some(now.saturating_add(pause));
    }

    /// `unaccepted` is true for an answer that came and cannot be believed, which staff see if it lasts.
    fn count_failure(&mut self, unaccepted: bool, now: Timestamp) {
        if unaccepted {
            self.unaccepted_since.get_or_insert(now);
        }
        self.failures = self.failures.saturating_add(1);
    }

    /// Plans the next look after an answer; one that is not believed counts as a failure.
    pub fn plan_after_answer(&mut self, taken: Taken, now: Timestamp) {
        self.failures = match taken.is_believed() {
            true => 0,
            false => self.failures.saturating_add(1),
        };
        self.plan(now);
    }

    /// Plans the next look, after a time in which the service wants no cancellations.
    pub fn plan_after_rest(&mut self, rest: Duration, now: Timestamp) {
        self.plan(now);
        let rested = now.saturating_add(rest);
        self.due_at = self.due_at.map(|due| due.max(rested));
    }

    /// Ends the looks: only staff may cancel it.
    pub fn leave_to_staff(&mut self) {
        self.due_at = None;
    }

    /// Plans to withdraw it again, after a withdrawal that failed or that the service wanted to be
    /// spared for so long.
    pub fn plan_withdrawal(&mut self, now: Timestamp, rest: Duration) {
        let age = now.duration_since(self.created_at);
        let pause = fraction(age, 4, [Duration::from_secs(20), HOUR]);
        self.due_at = Some(now.saturating_add(pause.max(rest)));
    }

    /// For how long a payer who looks at a waiting operation is left with what is known of it. The
    /// schedule alone decides: failures slow the background, not those who wait.
    pub fn fresh_for_payer(&self, now: Timestamp) -> Duration {
        let asked = self.queried_at.unwrap_or(self.created_at);
        let pause = self.waiting_pause(now);
        // A look in the future was made by a clock that ran ahead.
        let age = now.checked_duration_since(asked);
        age.map_or(Duration::ZERO, |age| pause.saturating_sub(age))
    }

    fn deadline(&self) -> Timestamp {
        self.expires_at()
            .unwrap_or_else(|| self.created_at.saturating_add(HOUR))
    }

    /// The polling schedule; once the time to pay is long over, ever more slowly.
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

/// Cash codes and bank transfers are paid in hours, not in seconds.
fn is_slow(method: &PaymentMethodName) -> bool {
    matches!(
        method,
        PaymentMethodName::CashCode | PaymentMethodName::BankTransfer
    )
}

/// The pause between two looks at a waiting payment of this age.
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

#[cfg(test)]
mod tests;
