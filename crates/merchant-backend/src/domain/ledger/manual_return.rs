use super::refund_attempt::{Asker, AttemptRecord};
use super::state::{Ledger, RefundRecord};
use crate::clock::Millis;
use payment_model::RefundState;
use staff_model::{AttemptState, ManualReturn, ReturnState};

/// Money that somebody gives back where the service cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReturnRecord {
    pub(crate) id: String,
    pub(crate) amount: u64,
    pub(crate) reason: String,
    pub(crate) asker: Asker,
    pub(crate) at: Millis,
    pub(crate) state: ReturnState,
    /// Nobody reserved it before the money left.
    pub(crate) already_made: bool,
    pub(crate) end: Option<ReturnEnd>,
}

/// The end of a return: who told it, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReturnEnd {
    pub(crate) by: String,
    pub(crate) at: Millis,
    pub(crate) reason: String,
}

/// A return that is to be reserved, or was made already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewReturn {
    pub(crate) id: String,
    pub(crate) amount: u64,
    pub(crate) reason: String,
    pub(crate) asker: Asker,
    pub(crate) already_made: bool,
}

/// Why a return is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReturnRefusal {
    /// Nobody paid, or the payment was reversed.
    NotPaid,
    /// The service refunds it, and would not know of this.
    Refundable,
    /// Its payment may be on its way back already.
    BeingReversed,
    NothingAskedFor,
    MoreThanIsLeft {
        left: u64,
    },
}

impl ReturnRecord {
    /// The return as staff see it.
    pub(crate) fn shown(&self) -> ManualReturn {
        let end = self.end.as_ref();
        ManualReturn {
            return_id: self.id.clone(),
            state: self.state,
            amount: self.amount,
            reason: self.reason.clone(),
            staff: self.asker.staff.clone(),
            at: self.at,
            already_made: self.already_made,
            ended_by: end.map(|end| end.by.clone()),
            ended_at: end.map(|end| end.at),
            end_reason: end.map(|end| end.reason.clone()),
        }
    }
}

impl Ledger {
    /// Whether the service gives money of this operation back, as far as anybody knows: once
    /// it said no to a refund, there must be another way. That it did not accept our access
    /// token is no such word.
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

    /// Reserves a return before its money leaves. One that was made already is a fact, and is
    /// recorded whatever else is known.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub(crate) fn give_back(
        &mut self,
        new: NewReturn,
        now: Millis,
    ) -> Result<ReturnRecord, ReturnRefusal> {
        if new.amount == 0 {
            return Err(ReturnRefusal::NothingAskedFor);
        }
        if !new.already_made {
            self.may_give_back(new.amount)?;
        }
        let record = ReturnRecord {
            id: new.id,
            amount: new.amount,
            reason: new.reason,
            asker: new.asker,
            at: now,
            state: if new.already_made {
                ReturnState::Done
            } else {
                ReturnState::Open
            },
            already_made: new.already_made,
            end: None,
        };
        self.returns.push(record.clone());
        Ok(record)
    }

    fn may_give_back(&self, amount: u64) -> Result<(), ReturnRefusal> {
        if !self.is_paid() {
            return Err(ReturnRefusal::NotPaid);
        }
        if self.is_refundable() {
            return Err(ReturnRefusal::Refundable);
        }
        if self.pending_reversal().is_some() {
            return Err(ReturnRefusal::BeingReversed);
        }
        let left = self.left();
        if amount > left {
            return Err(ReturnRefusal::MoreThanIsLeft { left });
        }
        Ok(())
    }

    pub(crate) fn returned(&self, id: &str) -> Option<&ReturnRecord> {
        self.returns.iter().find(|returned| returned.id == id)
    }

    /// Ends a return that is reserved: it was made, or is given up. Answers with it as it is
    /// then; one that had ended stays as it was.
    pub(crate) fn end_return(
        &mut self,
        id: &str,
        state: ReturnState,
        end: ReturnEnd,
    ) -> Option<ReturnRecord> {
        let returned = self.returns.iter_mut().find(|own| own.id == id)?;
        if returned.state == ReturnState::Open {
            returned.state = state;
            returned.end = Some(end);
        }
        Some(returned.clone())
    }
}

#[cfg(test)]
mod tests;
