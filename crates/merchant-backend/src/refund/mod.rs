//! What is given back of one operation: rules without input or output, over all that is known
//! of its refunds.

mod attempt;
#[cfg(test)]
pub(crate) mod fixture;
mod ledger;
mod list;
mod release;
mod returned;
mod schedule;

pub(crate) use attempt::{Asker, AttemptRecord, Ending, NewAttempt, Release};
pub(crate) use ledger::{Ledger, RefundRecord, Watch};
pub(crate) use list::{ATTEMPT_ID, RefundEnd, is_whole};
pub(crate) use release::ReleaseRefusal;
pub(crate) use returned::{NewReturn, ReturnRecord, ReturnRefusal};
