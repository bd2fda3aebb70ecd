//! When an operation is looked at though nobody asks.

use super::{OperationRecord, Phase};
use crate::clock::Millis;
use payment_model::{Outcome, PaymentMethodName, TransactionState};

const SECOND: Millis = 1000;
const MINUTE: Millis = 60 * SECOND;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// For how long the service's "unknown" does not settle a doubt: the request may yet arrive.
pub(crate) const DOUBT: Millis = 10 * MINUTE;

impl OperationRecord {
    /// Plans the next look after one that succeeded or failed, or after a change.
    pub(crate) fn plan(&mut self, now: Millis) {
        self.due_at = self.pause(now).map(|pause| now.saturating_add(pause));
    }

    /// How long to wait before the next look; `None` when there is nothing left to see.
    fn pause(&self, now: Millis) -> Option<Millis> {
        let regular = match self.phase {
            Phase::Sending | Phase::Refused | Phase::Lost => return None,
            // There is nothing to ask by: only staff may settle it.
            Phase::InDoubt if !self.is_shown_by_us() => return None,
            // The service told something, but nothing that can be believed: staff must look.
            Phase::InDoubt if self.mismatch.is_some() && now - self.created_at > DOUBT => HOUR,
            Phase::InDoubt => SECOND,
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

    fn regular_pause(&self, now: Millis) -> Option<Millis> {
        match (self.state()?, self.outcome()) {
            (TransactionState::Settled, _) | (_, Some(Outcome::Reversed)) => None,
            (_, Some(Outcome::Paid)) => Some(HOUR),
            (_, Some(_)) => (now - self.changed_at < DAY).then_some(HOUR),
            (_, None) => Some(self.waiting_pause(now)),
        }
    }

    /// The polling schedule; once the time to pay is long over, ever more slowly.
    fn waiting_pause(&self, now: Millis) -> Millis {
        let age = now - self.created_at;
        let deadline = self.expires_at().unwrap_or(self.created_at + HOUR);
        match now - deadline {
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
    use crate::operation::fixture::{record, with_state};
    use crate::operation::{OperationRecord, Phase};
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
        assert_eq!(pause(&with_state("NUEVO", 0), 0), Some(2 * SECOND));
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
    fn doubts_are_asked_about_soon_and_failures_slow_down_to_ten_seconds() {
        let mut doubt = record();
        doubt.phase = Phase::InDoubt;
        assert_eq!(pause(&doubt, 0), Some(SECOND));
        let slowed: Vec<_> = (0..8)
            .map(|failures| {
                doubt.failures = failures;
                pause(&doubt, 0).unwrap() / SECOND
            })
            .collect();
        assert_eq!(slowed, [1, 2, 4, 8, 10, 10, 10, 10]);
        doubt.method = PaymentMethodName::CashCode;
        assert_eq!(pause(&doubt, 0), None);
        doubt.phase = Phase::Lost;
        assert_eq!(pause(&doubt, 0), None);
    }
}
