use super::refund_attempt_record::Asker;
use payment_model::{Cents, Timestamp};
use staff_model::{ManualReturn, ReturnState};

/// Money that staff give back where the service cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnRecord {
    pub id: String,
    pub amount: u64,
    pub reason: String,
    pub asker: Asker,
    pub at: Timestamp,
    pub state: ReturnState,
    /// True when the money left before it was reserved.
    pub already_made: bool,
    /// The first of the two people who give it up.
    pub give_up_asked: Option<ReturnEnd>,
    pub end: Option<ReturnEnd>,
}

/// The end of a return, or the wish to give it up, with the person and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnEnd {
    pub by: String,
    pub at: Timestamp,
    pub reason: String,
}

/// A return to reserve, or one that was made already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReturn {
    pub id: String,
    pub amount: u64,
    pub reason: String,
    pub asker: Asker,
    pub already_made: bool,
    /// What the account may still give back of the operation, in cents.
    pub allowed: u64,
}

/// Why a return is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnRefusal {
    /// It is not paid, or the payment was reversed. A return that was made needs a payment that
    /// there was once.
    NotPaid,
    /// The service refunds it, and would not know of this return.
    Refundable,
    /// Its payment may be on its way back already.
    BeingReversed,
    /// The service's answers disagree about the payment.
    Disputed,
    NothingAskedFor,
    MoreThanIsLeft {
        left: u64,
    },
    /// The account may give back only so much of it now.
    OverLimit {
        left: u64,
    },
    /// No return of it can have been larger than the payment.
    MoreThanWasPaid {
        paid: u64,
    },
}

/// What a member of staff did to a return by ending it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReturnStep {
    /// It ended.
    Ended(ReturnRecord),
    /// A second person has to give it up too.
    Asked(ReturnRecord),
    /// It had ended so.
    Repeated(ReturnRecord),
}

/// Why a return is not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnEndRefusal {
    NotFound,
    /// It has ended in another way.
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
            staff: self.asker.staff.clone(),
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
