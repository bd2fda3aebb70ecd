//! Plans the looks at an operation without a request.

use super::{OperationRecord, Phase};
use crate::domain::pauses::{DAY, HOUR, MINUTE, SECOND, doubled, fraction, stepped};
use payment_model::{Outcome, PaymentMethodName, Timestamp, TransactionState};
use std::time::Duration;

/// For how long the service's "unknown" does not settle a doubt: the request may yet arrive.
pub(crate) const DOUBT: Duration = Duration::from_mins(10);

/// How long an order is blocked before staff see it and may give it free.
pub(crate) const BLOCK_LISTED: Duration = Duration::from_mins(15);

/// For how long past its deadline an operation that nobody paid is watched.
const WATCH: Duration = Duration::from_hours(30 * 24);

const FIVE_MINUTES: Duration = Duration::from_mins(5);

impl OperationRecord {
    /// Plans the next look after one that succeeded or failed, or after a change.
    pub(crate) fn plan(&mut self, now: Timestamp) {
        self.due_at = self.pause(now).map(|pause| now.saturating_add(pause));
    }

    /// How long to wait before the next look; `None` when no news is possible.
    ///
    /// | State | Looks | End |
    /// |---|---|---|
    /// | in doubt, our code | 1 to 20 s, after 10 min 1 to 5 min, after an hour hourly | after a day, on the staff's list |
    /// | in doubt, a code that comes by another way | none | on the staff's list |
    /// | waits, or unknown | the polling schedule; past the deadline 5 min, after a day hourly | 30 days past the deadline |
    /// | paid | hourly | settled |
    /// | declined, invalid, canceled, expired | hourly | after a day |
    /// | settled, reversed, refused, lost | none | |
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
        stepped(age, &[(DOUBT, first), (HOUR, then), (DAY, HOUR)])
    }

    fn regular_pause(&self, now: Timestamp) -> Option<Duration> {
        match (self.state()?, self.outcome()) {
            // A second answer has to tell whether the payment was given back.
            (_, Some(Outcome::Paid)) if self.reversal_seen_at.is_some() => Some(SECOND),
            (TransactionState::Settled, _) | (_, Some(Outcome::Reversed)) => None,
            (_, Some(Outcome::Paid)) => Some(HOUR),
            (_, Some(_)) => (now.duration_since(self.changed_at) < DAY).then_some(HOUR),
            (_, None) => {
                let pause = self.waiting_pause(now);
                (now.duration_since(self.deadline()) < WATCH).then_some(pause)
            }
        }
    }

    /// Plans to withdraw it again, after a withdrawal that failed or that the service wanted to be
    /// spared for so long.
    pub(crate) fn plan_withdrawal(&mut self, now: Timestamp, rest: Duration) {
        let age = now.duration_since(self.created_at);
        let pause = fraction(age, 4, [Duration::from_secs(20), HOUR]);
        self.due_at = Some(now.saturating_add(pause.max(rest)));
    }

    /// For how long a payer who looks at a waiting operation is left with what is known of it. The
    /// schedule alone decides: failures slow the background, not those who wait.
    pub(crate) fn fresh_for_payer(&self, now: Timestamp) -> Duration {
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
mod tests {
    use super::{DAY, HOUR, MINUTE, SECOND};
    use crate::domain::operation::fixture::{record, with_state};
    use crate::domain::operation::{OperationRecord, Phase};
    use payment_model::{PaymentMethodName, Timestamp};
    use std::time::Duration;

    const MILLISECOND: Duration = Duration::from_millis(1);

    fn begun() -> Timestamp {
        Timestamp::default()
    }

    fn pause(record: &OperationRecord, age: Duration) -> Option<Duration> {
        let mut record = record.clone();
        let now = begun().saturating_add(age);
        record.plan(now);
        record.due_at.map(|due| due.duration_since(now))
    }

    #[test]
    fn waiting_operations_follow_the_polling_schedule() {
        let waiting = with_state("PENDIENTE", begun());
        let check = |age, expected| assert_eq!(pause(&waiting, age), Some(expected), "{age:?}");
        check(Duration::ZERO, 2 * SECOND);
        check(MINUTE - MILLISECOND, 2 * SECOND);
        check(MINUTE, 3 * SECOND);
        check(5 * MINUTE - MILLISECOND, 10 * SECOND);
        check(5 * MINUTE, 15 * SECOND);
        check(HOUR + HOUR, 5 * MINUTE);
        check(HOUR + DAY, HOUR);
        check(HOUR + 30 * DAY - MILLISECOND, HOUR);
        assert_eq!(pause(&waiting, HOUR + 30 * DAY), None);
        assert_eq!(
            pause(&with_state("NUEVO", begun()), Duration::ZERO),
            Some(2 * SECOND)
        );
        assert_eq!(pause(&with_state("NUEVO", begun()), HOUR + 30 * DAY), None);
    }

    #[test]
    fn ended_operations_are_looked_at_hourly_as_long_as_they_may_change() {
        for word in ["DENEGADO", "CANCELADO", "EXPIRADO", "INVALIDO"] {
            let ended = with_state(word, begun());
            assert_eq!(pause(&ended, DAY - MILLISECOND), Some(HOUR), "{word}");
            assert_eq!(pause(&ended, DAY), None, "{word}");
        }
        let at_first = |word| pause(&with_state(word, begun()), Duration::ZERO);
        let paid = with_state("AUTORIZADO", begun());
        assert_eq!(pause(&paid, 40 * DAY), Some(HOUR));
        assert_eq!(at_first("LIQUIDADO"), None);
        assert_eq!(at_first("EXTORNADO"), None);
    }

    #[test]
    fn doubts_are_asked_about_ever_less_often_and_end_after_a_day() {
        let mut doubt = record();
        doubt.phase = Phase::InDoubt;
        assert_eq!(pause(&doubt, Duration::ZERO), Some(SECOND));
        let slowed: Vec<_> = (0..8)
            .map(|failures| {
                doubt.failures = failures;
                pause(&doubt, Duration::ZERO).unwrap().as_secs()
            })
            .collect();
        assert_eq!(slowed, [1, 2, 4, 8, 16, 20, 20, 20]);
        for (age, expected) in [
            (10 * MINUTE - MILLISECOND, Some(20 * SECOND)),
            (10 * MINUTE, Some(MINUTE)),
            (30 * MINUTE, Some(3 * MINUTE)),
            (HOUR - MILLISECOND, Some(5 * MINUTE)),
            (HOUR, Some(HOUR)),
            (DAY - MILLISECOND, Some(HOUR)),
            (DAY, None),
            (Duration::MAX, None),
        ] {
            assert_eq!(pause(&doubt, age), expected, "{age:?}");
        }
        // An answer that is not believed ends like any other.
        doubt.mismatch = Some("another amount".to_owned());
        assert_eq!(pause(&doubt, DAY), None);
        doubt.method = PaymentMethodName::CashCode;
        assert_eq!(pause(&doubt, Duration::ZERO), None);
        doubt.phase = Phase::Lost;
        assert_eq!(pause(&doubt, Duration::ZERO), None);
    }

    #[test]
    fn a_payer_who_looks_is_not_slowed_by_failures() {
        let mut waiting = with_state("PENDIENTE", begun());
        waiting.failures = 9;
        waiting.queried_at = Some(Timestamp::from_millis(1000));
        for (now, expected) in [(1000, 2000), (2999, 1), (3000, 0), (9000, 0), (0, 0)] {
            let fresh = waiting.fresh_for_payer(Timestamp::from_millis(now));
            assert_eq!(fresh, Duration::from_millis(expected), "{now}");
        }
    }
}
