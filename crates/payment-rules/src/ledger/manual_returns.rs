use super::manual_return_record::{
    NewReturn, ReturnEnd, ReturnEndRefusal, ReturnRecord, ReturnRefusal, ReturnStep,
};
use super::refund_attempt_record::AttemptRecord;
use super::refund_record::RefundRecord;
use super::state::Ledger;
use crate::planted::{Mistake, planted};
use payment_model::{Outcome, RefundState, Timestamp};
use staff_model::{AttemptState, ReturnState};

impl Ledger {
    /// True when the service refunds this operation, as far as it is known. After the service
    /// refused a refund, staff may use another way. A refused access token is not such a refusal.
    fn is_refundable(&self) -> bool {
        let rejected = |record: &RefundRecord| record.refund.state == RefundState::Rejected;
        let refused = |attempt: &AttemptRecord| {
            attempt.state == AttemptState::Refused
                && attempt.begun_at.is_some()
                && !attempt.undecided
        };
        self.method.is_refundable()
            && !self.refunds.iter().any(rejected)
            && !self.attempts.iter().any(refused)
    }

    /// Reserves a return before its money leaves. A return that was made already is a fact: beyond
    /// what the account may give back, or beyond the rest, it takes its amount too, and counts as
    /// made once a second person confirms it.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn give_back(
        &mut self,
        new: NewReturn,
        now: Timestamp,
    ) -> Result<ReturnRecord, ReturnRefusal> {
        if new.amount == 0 {
            return Err(ReturnRefusal::NothingAskedFor);
        }
        let state = if new.already_made {
            self.may_have_given_back(new.amount)?;
            if new.amount > self.left().min(new.allowed) {
                ReturnState::Open
            } else {
                ReturnState::Done
            }
        } else {
            self.may_give_back(new.amount)?;
            if new.amount > new.allowed {
                return Err(ReturnRefusal::OverLimit { left: new.allowed });
            }
            ReturnState::Open
        };
        let record = ReturnRecord {
            id: new.id,
            amount: new.amount,
            reason: new.reason,
            asker: new.asker,
            at: now,
            state,
            already_made: new.already_made,
            give_up_asked: None,
            end: None,
        };
        self.returns.push(record.clone());
        Ok(record)
    }

    /// Nobody gave back what was never paid, nor more than that at once.
    fn may_have_given_back(&self, amount: u64) -> Result<(), ReturnRefusal> {
        if !matches!(self.outcome, Some(Outcome::Paid | Outcome::Reversed)) {
            return Err(ReturnRefusal::NotPaid);
        }
        if amount > self.amount {
            return Err(ReturnRefusal::MoreThanWasPaid { paid: self.amount });
        }
        Ok(())
    }

    fn may_give_back(&self, amount: u64) -> Result<(), ReturnRefusal> {
        if !self.is_paid() {
            return Err(ReturnRefusal::NotPaid);
        }
        if self.is_refundable() {
            return Err(ReturnRefusal::Refundable);
        }
        if self.pending_reversal().is_some() && !planted(Mistake::ReturnBesideReversal) {
            return Err(ReturnRefusal::BeingReversed);
        }
        if self.is_disputed() && !planted(Mistake::DisputedPaymentIsGivenBack) {
            return Err(ReturnRefusal::Disputed);
        }
        let left = self.left();
        if amount > left {
            return Err(ReturnRefusal::MoreThanIsLeft { left });
        }
        Ok(())
    }

    /// Records that a return was made. A second person confirms one that was recorded as made already.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn return_was_made(
        &mut self,
        id: &str,
        end: ReturnEnd,
    ) -> Result<ReturnStep, ReturnEndRefusal> {
        let returned = self.returned_mut(id)?;
        match returned.state {
            ReturnState::Open if returned.already_made && returned.asker.staff == end.by => {
                Err(ReturnEndRefusal::SamePerson)
            }
            ReturnState::Open => Ok(returned.ended(ReturnState::Done, end)),
            ReturnState::Done => Ok(ReturnStep::Repeated(returned.clone())),
            ended => Err(ReturnEndRefusal::Ended(ended)),
        }
    }

    /// Gives a return up. Only the person who reserved it knows whether the money has left; of
    /// anybody else, and of a return that counts as made, it takes two people.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn give_return_up(
        &mut self,
        id: &str,
        end: ReturnEnd,
    ) -> Result<ReturnStep, ReturnEndRefusal> {
        let returned = self.returned_mut(id)?;
        if returned.state == ReturnState::GivenUp {
            return Ok(ReturnStep::Repeated(returned.clone()));
        }
        let own = returned.state == ReturnState::Open
            && !returned.already_made
            && returned.asker.staff == end.by;
        match &returned.give_up_asked {
            _ if own => {}
            None => {
                returned.give_up_asked = Some(end);
                return Ok(ReturnStep::Asked(returned.clone()));
            }
            Some(asked) if asked.by == end.by => return Err(ReturnEndRefusal::SamePerson),
            Some(_) => {}
        }
        Ok(returned.ended(ReturnState::GivenUp, end))
    }

    fn returned_mut(&mut self, id: &str) -> Result<&mut ReturnRecord, ReturnEndRefusal> {
        let mut returns = self.returns.iter_mut();
        let found = returns.find(|returned| returned.id == id);
        found.ok_or(ReturnEndRefusal::NotFound)
    }
}

impl ReturnRecord {
    fn ended(&mut self, state: ReturnState, end: ReturnEnd) -> ReturnStep {
        self.state = state;
        self.end = Some(end);
        ReturnStep::Ended(self.clone())
    }
}

#[cfg(test)]
mod tests;
