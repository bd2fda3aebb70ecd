use super::manual_return_record::{NewReturn, ReturnEnd, ReturnRecord, ReturnRefusal};
use super::refund_attempt_record::AttemptRecord;
use super::refund_record::RefundRecord;
use super::state::Ledger;
use crate::domain::planted::{Mistake, planted};
use payment_model::{RefundState, Timestamp};
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

    /// Reserves a return before its money leaves. A return that was made already is a fact, and is
    /// always recorded.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub(crate) fn give_back(
        &mut self,
        new: NewReturn,
        now: Timestamp,
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

    pub(crate) fn returned(&self, id: &str) -> Option<&ReturnRecord> {
        self.returns.iter().find(|returned| returned.id == id)
    }

    /// Ends a reserved return, as made or given up. Returns the return; one that had ended stays as
    /// it was.
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
