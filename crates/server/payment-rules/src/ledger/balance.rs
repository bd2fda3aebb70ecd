//! Sums the money of one operation, and what an account may still give back.

use super::Ledger;
use super::manual_returns::ReturnRecord;
use super::refund_attempts::AttemptRecord;
use super::refund_list::RefundRecord;
use payment_model::{Outcome, RefundState};
use staff_model::{AttemptState, ReturnState};

/// The money of an operation, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// The amount of the operation, even before it is paid.
    pub paid: u64,
    /// Certainly given back: refunds that the service carried out, and returns that were made.
    pub given_back: u64,
    /// Reserved for refunds and returns that have not ended.
    pub reserved: u64,
    /// Perhaps given back. An amount that cannot be read counts as the whole payment.
    pub unknown: u64,
}

impl Balance {
    /// True while no money was given back, is on its way back, or may be.
    pub fn is_untouched(&self) -> bool {
        (self.given_back, self.reserved, self.unknown) == (0, 0, 0)
    }

    /// Everything that was given back, is reserved or may have been given back.
    pub fn gone(&self) -> u64 {
        let certain = self.given_back.saturating_add(self.reserved);
        certain.saturating_add(self.unknown)
    }
}

impl Ledger {
    /// The sums of the operation without its reversals, each of which concerns the whole amount.
    pub fn balance(&self) -> Balance {
        let mut balance = Balance {
            paid: self.amount,
            given_back: 0,
            reserved: 0,
            unknown: 0,
        };
        for record in self.refunds.iter().filter(|record| record.counts) {
            balance.add_refund(record);
        }
        for attempt in self.attempts.iter().filter(|own| self.is_unseen(own)) {
            balance.add_attempt(attempt);
        }
        for returned in &self.returns {
            balance.add_return(returned);
        }
        balance
    }
}

impl Ledger {
    /// A sentence about money that is given back, or may be, beyond the paid amount, with both
    /// amounts; `None` when there is no excess.
    pub fn excess(&self) -> Option<String> {
        let balance = self.balance();
        let standing = if self.is_paid() { self.amount } else { 0 };
        if balance.gone() <= standing {
            return None;
        }
        let given_back = match (
            balance.given_back,
            balance.gone().saturating_sub(balance.given_back),
        ) {
            (given_back, 0) => format!("{given_back} cents were given back"),
            (0, perhaps) => format!("{perhaps} cents are on their way back or perhaps given back"),
            (given_back, perhaps) => format!(
                "{given_back} cents were given back and {perhaps} cents are on their way back or perhaps given back"
            ),
        };
        Some(match self.outcome {
            Some(Outcome::Reversed) => format!(
                "the payment of {} cents was reversed, and {given_back} besides",
                self.amount
            ),
            _ => format!("{given_back}, and {standing} cents stand paid"),
        })
    }
}

impl Balance {
    fn add_refund(&mut self, record: &RefundRecord) {
        let Some(cents) = record.cents else {
            if record.refund.state != RefundState::Rejected {
                // The refund may be as large as the payment.
                self.unknown = self.unknown.max(self.paid).max(1);
            }
            return;
        };
        let place = match record.refund.state {
            RefundState::Rejected => return,
            RefundState::Resolved => &mut self.given_back,
            RefundState::Registered | RefundState::InProcess => &mut self.reserved,
            RefundState::Unknown(_) => &mut self.unknown,
        };
        *place = place.saturating_add(cents);
    }

    fn add_attempt(&mut self, attempt: &AttemptRecord) {
        let place = match attempt.state {
            AttemptState::InDoubt => &mut self.unknown,
            _ => &mut self.reserved,
        };
        *place = place.saturating_add(attempt.amount);
    }

    fn add_return(&mut self, returned: &ReturnRecord) {
        let place = match returned.state {
            ReturnState::GivenUp => return,
            ReturnState::Open => &mut self.reserved,
            ReturnState::Done | ReturnState::Unknown => &mut self.given_back,
        };
        *place = place.saturating_add(returned.amount);
    }
}

/// The most that an account may give back, in cents; `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The most of one request, and also of one operation.
    pub at_once: Option<u64>,
    /// The most in 24 hours.
    pub a_day: Option<u64>,
}

/// What an account has given back, or may have, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GivenBack {
    /// What it gave back of the operation.
    pub of_operation: u64,
    /// What it gave back in the last 24 hours.
    pub in_a_day: u64,
}

/// The daily limit of an account without one, as a multiple of its limit at once. Without a daily
/// limit, an account could give back any amount in many small refunds.
const USUAL_LIMITS_A_DAY: u64 = 10;

impl Limits {
    /// Limits of which the daily one may be left out: it is ten times the limit at once then.
    pub fn with_usual_day(at_once: Option<u64>, a_day: Option<u64>) -> Self {
        let usual = at_once.map(|limit| limit.saturating_mul(USUAL_LIMITS_A_DAY));
        Self {
            at_once,
            a_day: a_day.or(usual),
        }
    }

    /// What the account may still give back of one operation. `already_requested` is what the same request
    /// gives back of other operations.
    pub fn left(self, given_back: GivenBack, already_requested: u64) -> u64 {
        let rest = |limit: Option<u64>, gone: u64| {
            limit.map_or(u64::MAX, |limit| limit.saturating_sub(gone))
        };
        rest(self.at_once, already_requested)
            .min(rest(self.at_once, given_back.of_operation))
            .min(rest(
                self.a_day,
                given_back.in_a_day.saturating_add(already_requested),
            ))
    }
}

#[cfg(test)]
mod tests {
    use crate::ledger::fixture::{doubtful, ledger, returned};
    use crate::timing::instant;
    use payment_model::Outcome;

    #[test]
    fn what_is_given_back_beyond_what_stands_paid_is_told_with_both_amounts() {
        let check = |outcome, made: u64, expected: Option<&str>| {
            let mut ledger = ledger();
            if made > 0 {
                ledger
                    .give_back(returned("m", 1, true), instant(0))
                    .unwrap();
                ledger.returns[0].amount = made;
            }
            ledger.outcome = outcome;
            assert_eq!(ledger.excess().as_deref(), expected);
        };
        check(Some(Outcome::Paid), 0, None);
        check(Some(Outcome::Paid), 1000, None);
        check(Some(Outcome::Reversed), 0, None);
        let more = "1001 cents were given back, and 1000 cents stand paid";
        check(Some(Outcome::Paid), 1001, Some(more));
        let unpaid = "5 cents were given back, and 0 cents stand paid";
        check(None, 5, Some(unpaid));
        let both = "the payment of 1000 cents was reversed, and 7 cents were given back besides";
        check(Some(Outcome::Reversed), 7, Some(both));
        let mut perhaps = doubtful("a", 300, instant(0));
        perhaps.outcome = Some(Outcome::Reversed);
        assert!(perhaps.excess().unwrap().contains("300 cents"));
    }
}

#[cfg(test)]
mod account_limits_tests {
    use super::{GivenBack, Limits};

    #[test]
    fn what_is_left_is_the_smallest_of_the_request_the_operation_and_the_day() {
        let check = |at_once, a_day, of_operation, in_a_day, already_requested, left| {
            let given_back = GivenBack {
                of_operation,
                in_a_day,
            };
            assert_eq!(
                Limits { at_once, a_day }.left(given_back, already_requested),
                left
            );
        };
        check(Some(50), Some(500), 0, 0, 0, 50);
        check(Some(50), Some(500), 20, 20, 0, 30);
        check(Some(50), Some(500), 20, 20, 40, 10);
        check(Some(50), Some(500), 0, 480, 0, 20);
        check(Some(50), Some(500), 0, 480, 15, 5);
        check(Some(50), Some(500), 60, 600, 60, 0);
        check(Some(50), None, 0, u64::MAX, 0, 50);
        check(None, Some(500), u64::MAX, 100, u64::MAX, 0);
        check(None, None, u64::MAX, u64::MAX, 1, u64::MAX);
    }
}
