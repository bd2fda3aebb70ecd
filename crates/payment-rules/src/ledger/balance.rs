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
