//! Records and ends the returns that staff make by hand, where the payment service cannot refund.

use super::Ledger;
use super::refund_attempts::{AttemptRecord, Requester};
use super::refund_list::RefundRecord;
use payment_model::{Cents, Outcome, RefundState, Timestamp};
use serde::{Deserialize, Serialize};
use staff_model::{AttemptState, ManualReturn, ReturnState};

/// Money that staff give back where the service cannot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnRecord {
    /// The random id of the return.
    pub id: String,
    /// In cents.
    pub amount: u64,
    /// The reason that the member of staff gave.
    pub reason: String,
    /// The member of staff who recorded it.
    pub requester: Requester,
    /// When it was recorded.
    pub at: Timestamp,
    /// Whether its money is reserved, given back or free again.
    pub state: ReturnState,
    /// True when the money left before it was reserved.
    pub already_made: bool,
    /// The first of the two people who give the return up.
    pub give_up_asked: Option<ReturnEnd>,
    /// Who ended it; `None` while it is open, and for one that counted as made from the start.
    pub end: Option<ReturnEnd>,
}

/// The end of a return, or the wish to give it up, with the person and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnEnd {
    /// The name of the staff account.
    pub by: String,
    /// When the person did it.
    pub at: Timestamp,
    /// The reason that the person gave.
    pub reason: String,
}

/// A return to reserve, or one that was made already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReturn {
    /// The random id of the return.
    pub id: String,
    /// In cents.
    pub amount: u64,
    /// The reason that the member of staff gives.
    pub reason: String,
    /// The member of staff who records it.
    pub requester: Requester,
    /// True when the money has left already.
    pub already_made: bool,
    /// What the account may still give back of the operation, in cents.
    pub allowed: u64,
}

/// Why a return is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnError {
    /// The operation is not paid, or its payment was reversed. A return that was made already may
    /// be recorded after a reversal.
    NotPaid,
    /// The service refunds this operation, and would not know of the return.
    Refundable,
    /// A reversal of the payment may be on its way.
    BeingReversed,
    /// The service's answers disagree about the payment.
    Disputed,
    /// The operation is older than the last restore of the database, and staff have not compared it yet.
    Restored,
    /// The amount is zero.
    NothingAskedFor,
    /// The rest of the payment is smaller than the amount.
    MoreThanIsLeft {
        /// The rest, in cents.
        left: u64,
    },
    /// The account may give back only a part of the amount now.
    OverLimit {
        /// What the account may still give back, in cents.
        left: u64,
    },
    /// The return is larger than the payment, which cannot be.
    MoreThanWasPaid {
        /// The paid amount, in cents.
        paid: u64,
    },
}

/// What a member of staff did to a return by ending it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReturnStep {
    /// It ended.
    Ended(ReturnRecord),
    /// The request is stored, and a second person has to give the return up too.
    Asked(ReturnRecord),
    /// It had ended in the same way before.
    Repeated(ReturnRecord),
}

/// Why a return is not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnEndError {
    /// The ledger has no return with this id.
    NotFound,
    /// It has ended in another way before.
    Ended(ReturnState),
    /// Another person has to do it.
    SamePerson,
}

impl ReturnRecord {
    /// The return as staff see it.
    pub fn shown(&self) -> ManualReturn {
        let end = self.end.as_ref();
        ManualReturn {
            return_id: self.id.clone(),
            state: self.state,
            amount: Cents::new(self.amount),
            reason: self.reason.clone(),
            staff: self.requester.staff.clone(),
            at: self.at,
            already_made: self.already_made,
            give_up_asked_by: self.give_up_asked.as_ref().map(|asked| asked.by.clone()),
            give_up_reason: self
                .give_up_asked
                .as_ref()
                .map(|asked| asked.reason.clone()),
            ended_by: end.map(|end| end.by.clone()),
            ended_at: end.map(|end| end.at),
            end_reason: end.map(|end| end.reason.clone()),
        }
    }
}

impl Ledger {
    /// True when the service refunds this operation, as far as this server knows. Staff may use
    /// another way once the service refused a refund. A refused access token does not count.
    fn is_refundable(&self) -> bool {
        let rejected = |record: &RefundRecord| record.refund.state == RefundState::Rejected;
        let refused = |attempt: &AttemptRecord| {
            attempt.state == AttemptState::Refused
                && attempt.begun_at.is_some()
                && !attempt.not_processed
        };
        self.method.is_refundable()
            && !self.refunds.iter().any(rejected)
            && !self.attempts.iter().any(refused)
    }

    /// Reserves a return before its money leaves, or records one that was made already. A return
    /// that was made is recorded even beyond the limit of the account or beyond the rest of the
    /// payment. It is then open until a second person confirms it.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn give_back(
        &mut self,
        new: NewReturn,
        now: Timestamp,
    ) -> Result<ReturnRecord, ReturnError> {
        if new.amount == 0 {
            return Err(ReturnError::NothingAskedFor);
        }
        let state = if new.already_made {
            self.may_have_given_back(new.amount)?;
            if new.amount > self.left().min(new.allowed) {
                ReturnState::Open
            } else {
                ReturnState::Done
            }
        } else {
            // A return that was made is a fact. Another one may have been made since the backup.
            if self.awaits_comparison {
                return Err(ReturnError::Restored);
            }
            self.may_give_back(new.amount)?;
            if new.amount > new.allowed {
                return Err(ReturnError::OverLimit { left: new.allowed });
            }
            ReturnState::Open
        };
        let record = ReturnRecord {
            id: new.id,
            amount: new.amount,
            reason: new.reason,
            requester: new.requester,
            at: now,
            state,
            already_made: new.already_made,
            give_up_asked: None,
            end: None,
        };
        self.returns.push(record.clone());
        Ok(record)
    }

    /// A return that was made already needs a payment at least as large.
    fn may_have_given_back(&self, amount: u64) -> Result<(), ReturnError> {
        if !matches!(self.outcome, Some(Outcome::Paid | Outcome::Reversed)) {
            return Err(ReturnError::NotPaid);
        }
        if amount > self.amount {
            return Err(ReturnError::MoreThanWasPaid { paid: self.amount });
        }
        Ok(())
    }

    fn may_give_back(&self, amount: u64) -> Result<(), ReturnError> {
        if !self.is_paid() {
            return Err(ReturnError::NotPaid);
        }
        if self.is_refundable() {
            return Err(ReturnError::Refundable);
        }
        if self.pending_reversal().is_some() {
            return Err(ReturnError::BeingReversed);
        }
        if self.is_disputed() {
            return Err(ReturnError::Disputed);
        }
        let left = self.left();
        if amount > left {
            return Err(ReturnError::MoreThanIsLeft { left });
        }
        Ok(())
    }

    /// Records that a return was made. A second person has to confirm one that was recorded as made
    /// already.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn return_was_made(
        &mut self,
        id: &str,
        end: ReturnEnd,
    ) -> Result<ReturnStep, ReturnEndError> {
        let returned = self.returned_mut(id)?;
        match returned.state {
            ReturnState::Open if returned.already_made && returned.requester.staff == end.by => {
                Err(ReturnEndError::SamePerson)
            }
            ReturnState::Open => Ok(returned.ended(ReturnState::Done, end)),
            ReturnState::Done => Ok(ReturnStep::Repeated(returned.clone())),
            ended => Err(ReturnEndError::Ended(ended)),
        }
    }

    /// Gives a return up. The person who reserved it may do so while it is open, because that
    /// person knows whether the money has left. In all other cases it takes two people.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn give_return_up(
        &mut self,
        id: &str,
        end: ReturnEnd,
    ) -> Result<ReturnStep, ReturnEndError> {
        let returned = self.returned_mut(id)?;
        if returned.state == ReturnState::GivenUp {
            return Ok(ReturnStep::Repeated(returned.clone()));
        }
        let own = returned.state == ReturnState::Open
            && !returned.already_made
            && returned.requester.staff == end.by;
        match &returned.give_up_asked {
            _ if own => {}
            None => {
                returned.give_up_asked = Some(end);
                return Ok(ReturnStep::Asked(returned.clone()));
            }
            Some(asked) if asked.by == end.by => return Err(ReturnEndError::SamePerson),
            Some(_) => {}
        }
        Ok(returned.ended(ReturnState::GivenUp, end))
    }

    fn returned_mut(&mut self, id: &str) -> Result<&mut ReturnRecord, ReturnEndError> {
        let mut returns = self.returns.iter_mut();
        let found = returns.find(|returned| returned.id == id);
        found.ok_or(ReturnEndError::NotFound)
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
