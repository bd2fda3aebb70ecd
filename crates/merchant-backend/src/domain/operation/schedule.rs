//! When an operation is looked at though nobody asks.

use super::{OperationRecord, Phase};
use crate::clock::Millis;
use payment_model::{Outcome, PaymentMethodName, TransactionState};

const SECOND: Millis = 1000;
pub(super) const MINUTE: Millis = 60 * SECOND;
pub(super) const HOUR: Millis = 60 * MINUTE;
pub(super) const DAY: Millis = 24 * HOUR;

/// For how long the service's "unknown" does not settle a doubt: the request may yet arrive.
pub(crate) const DOUBT: Millis = 10 * MINUTE;

/// How long an order is blocked before staff see it and may give it free.
pub(crate) const BLOCK_LISTED: Millis = 15 * MINUTE;

/// For how long past its deadline an operation that nobody paid is watched.
const WATCH: Millis = 30 * DAY;

impl OperationRecord {
    /// Plans the next look after one that succeeded or failed, or after a change.
    pub(crate) fn plan(&mut self, now: Millis) {
        self.due_at = self.pause(now).map(|pause| now.saturating_add(pause));
    }

    /// How long to wait before the next look; `None` when there is nothing left to see.
    ///
    /// | State | Looks | End |
    /// |---|---|---|
    /// | in doubt, our code | 1 to 20 s, after 10 min 1 to 5 min, after an hour hourly | after a day, on the staff's list |
    /// | in doubt, a code that comes by another way | none | on the staff's list |
    /// | waits, or unknown | the polling schedule; past the deadline 5 min, after a day hourly | 30 days past the deadline |
    /// | paid | hourly | settled |
    /// | declined, invalid, canceled, expired | hourly | after a day |
    /// | settled, reversed, refused, lost | none | |
    fn pause(&self, now: Millis) -> Option<Millis> {
        let regular = match self.phase {
            Phase::Sending | Phase::Refused | Phase::Lost => return None,
            // There is nothing to ask by: only staff may settle it.
            Phase::InDoubt if !self.is_shown_by_us() => return None,
            Phase::InDoubt => return self.pause_of_doubt(now),
            Phase::Known => self.regular_pause(now)?,
        };
        // A service in trouble is asked less often, but within 10 s of its recovery.
        let patience = SECOND << self.failures.min(4);
        Some(if self.failures == 0 {
            regular
        } else {
            regular.max(patience.min(10 * SECOND))
        })
    }

    /// Ever less often: each question is a cancellation, which a service in trouble needs least.
    fn pause_of_doubt(&self, now: Millis) -> Option<Millis> {
        let age = now.saturating_sub(self.created_at);
        Some(match age {
            DAY.. => return None,
            HOUR.. => HOUR,
            DOUBT.. => (age / 10).clamp(MINUTE, 5 * MINUTE),
            _ => (SECOND << self.failures.min(5)).min(20 * SECOND),
        })
    }

    fn regular_pause(&self, now: Millis) -> Option<Millis> {
        match (self.state()?, self.outcome()) {
            // A second answer has to say whether it was given back.
            (_, Some(Outcome::Paid)) if self.reversal_seen_at.is_some() => Some(SECOND),
            (TransactionState::Settled, _) | (_, Some(Outcome::Reversed)) => None,
            (_, Some(Outcome::Paid)) => Some(HOUR),
            (_, Some(_)) => (now.saturating_sub(self.changed_at) < DAY).then_some(HOUR),
            (_, None) => {
                let pause = self.waiting_pause(now);
                (now.saturating_sub(self.deadline()) < WATCH).then_some(pause)
            }
        }
    }

    /// Plans to withdraw it again, after a withdrawal that failed or that the service wanted to be
    /// spared for so long.
    pub(crate) fn plan_withdrawal(&mut self, now: Millis, rest: Millis) {
        let age = now.saturating_sub(self.created_at);
        let pause = (age / 4).clamp(20 * SECOND, HOUR).max(rest);
        self.due_at = Some(now.saturating_add(pause));
    }

    /// For how long a payer who looks at a waiting operation is left with what is known of it. The
    /// schedule alone decides: failures slow the background, not those who wait.
    pub(crate) fn fresh_for_payer(&self, now: Millis) -> Millis {
        let asked = self.queried_at.unwrap_or(self.created_at);
        let (pause, age) = (self.waiting_pause(now), now.saturating_sub(asked));
        // A look in the future was made by a clock that ran ahead.
        if (0..pause).contains(&age) {
            pause.saturating_sub(age)
        } else {
            0
        }
    }

    fn deadline(&self) -> Millis {
        self.expires_at()
            .unwrap_or_else(|| self.created_at.saturating_add(HOUR))
    }

    /// The polling schedule; once the time to pay is long over, ever more slowly.
    fn waiting_pause(&self, now: Millis) -> Millis {
        let age = now.saturating_sub(self.created_at);
        match now.saturating_sub(self.deadline()) {
            DAY.. => HOUR,
            HOUR..DAY => 5 * MINUTE,
            _ if is_slow(&self.method) => (age / 4).clamp(30 * SECOND, 5 * MINUTE),
            _ => polling_pause(age),
        }
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
fn polling_pause(age: Millis) -> Millis {
    match age {
        ..MINUTE => 2 * SECOND,
        MINUTE..70_000 => 3 * SECOND,
        70_000..90_000 => 4500,
        90_000..120_000 => 6750,
        120_000..300_000 => 10 * SECOND,
        _ => 15 * SECOND,
    }
}

#[cfg(test)]
mod tests {
    use super::{DAY, HOUR, MINUTE, SECOND};
    use crate::clock::Millis;
    use crate::domain::operation::fixture::{record, with_state};
    use crate::domain::operation::{OperationRecord, Phase};
    use payment_model::PaymentMethodName;

    fn pause(record: &OperationRecord, now: Millis) -> Option<Millis> {
        let mut record = record.clone();
        record.plan(now);
        record.due_at.map(|due| due - now)
    }

    #[test]
    fn waiting_operations_follow_the_polling_schedule() {
        let waiting = with_state("PENDIENTE", 0);
        let check = |age, expected| assert_eq!(pause(&waiting, age), Some(expected), "{age}");
        check(0, 2 * SECOND);
        check(59_999, 2 * SECOND);
        check(60_000, 3 * SECOND);
        check(299_999, 10 * SECOND);
        check(300_000, 15 * SECOND);
        check(HOUR + HOUR, 5 * MINUTE);
        check(HOUR + DAY, HOUR);
        check(HOUR + 30 * DAY - 1, HOUR);
        assert_eq!(pause(&waiting, HOUR + 30 * DAY), None);
        assert_eq!(pause(&with_state("NUEVO", 0), 0), Some(2 * SECOND));
        assert_eq!(pause(&with_state("NUEVO", 0), HOUR + 30 * DAY), None);
    }

    #[test]
    fn ended_operations_are_looked_at_hourly_as_long_as_they_may_change() {
        for word in ["DENEGADO", "CANCELADO", "EXPIRADO", "INVALIDO"] {
            assert_eq!(pause(&with_state(word, 0), DAY - 1), Some(HOUR), "{word}");
            assert_eq!(pause(&with_state(word, 0), DAY), None, "{word}");
        }
        assert_eq!(pause(&with_state("AUTORIZADO", 0), 40 * DAY), Some(HOUR));
        assert_eq!(pause(&with_state("LIQUIDADO", 0), 0), None);
        assert_eq!(pause(&with_state("EXTORNADO", 0), 0), None);
    }

    #[test]
    fn doubts_are_asked_about_ever_less_often_and_end_after_a_day() {
        let mut doubt = record();
        doubt.phase = Phase::InDoubt;
        assert_eq!(pause(&doubt, 0), Some(SECOND));
        let slowed: Vec<_> = (0..8)
            .map(|failures| {
                doubt.failures = failures;
                pause(&doubt, 0).unwrap() / SECOND
            })
            .collect();
        assert_eq!(slowed, [1, 2, 4, 8, 16, 20, 20, 20]);
        for (age, expected) in [
            (10 * MINUTE - 1, Some(20 * SECOND)),
            (10 * MINUTE, Some(MINUTE)),
            (30 * MINUTE, Some(3 * MINUTE)),
            (HOUR - 1, Some(5 * MINUTE)),
            (HOUR, Some(HOUR)),
            (DAY - 1, Some(HOUR)),
            (DAY, None),
            (Millis::MAX, None),
        ] {
            assert_eq!(pause(&doubt, age), expected, "{age}");
        }
        // One that was answered, but not believed, ends like another.
        doubt.mismatch = Some("another amount".to_owned());
        assert_eq!(pause(&doubt, DAY), None);
        doubt.method = PaymentMethodName::CashCode;
        assert_eq!(pause(&doubt, 0), None);
        doubt.phase = Phase::Lost;
        assert_eq!(pause(&doubt, 0), None);
    }

    #[test]
    fn a_payer_who_looks_is_not_slowed_by_failures() {
        let mut waiting = with_state("PENDIENTE", 0);
        waiting.failures = 9;
        waiting.queried_at = Some(1000);
        for (now, expected) in [(1000, 2000), (2999, 1), (3000, 0), (9000, 0), (0, 0)] {
            assert_eq!(waiting.fresh_for_payer(now), expected, "{now}");
        }
    }
}
