//! Giving one operation's money back, by whatever way: rules without input or output, over
//! all that is known of its money.

mod attempt;
mod balance;
#[cfg(test)]
pub(crate) mod fixture;
mod ledger;
mod list;
mod release;
mod returned;
mod reversal;
mod schedule;

pub(crate) use attempt::{Asker, AttemptRecord, Ending, NewAttempt, Release};
pub(crate) use balance::Balance;
pub(crate) use ledger::{Ledger, RefundRecord, Watch};
pub(crate) use list::{ATTEMPT_ID, RefundEnd, is_whole};
pub(crate) use release::{ReleaseRefusal, ReversalReleaseRefusal};
pub(crate) use returned::{NewReturn, ReturnEnd, ReturnRecord, ReturnRefusal};
pub(crate) use reversal::{NewReversal, Purpose, Reserved, ReversalEnd, ReversalRecord};
