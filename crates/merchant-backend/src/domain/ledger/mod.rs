//! The rules for giving one operation's money back, by any way: without input or output, over all
//! that is known of its money.

mod balance;
mod doubt_releases;
#[cfg(test)]
pub(crate) mod fixture;
mod manual_return_record;
mod manual_returns;
mod refund_attempt_record;
mod refund_attempts;
mod refund_record;
mod reversal_record;
mod reversals;
mod schedule;
mod service_list;
mod state;

pub(crate) use balance::Balance;
pub(crate) use doubt_releases::{ReleaseRefusal, ReversalReleaseRefusal};
pub(crate) use manual_return_record::{NewReturn, ReturnEnd, ReturnRecord, ReturnRefusal};
pub(crate) use refund_attempt_record::{Asker, AttemptRecord, Ending, NewAttempt, Release};
pub(crate) use refund_record::RefundRecord;
pub(crate) use reversal_record::{NewReversal, Purpose, ReversalEnd, ReversalRecord};
pub(crate) use reversals::Reserved;
pub(crate) use service_list::{ATTEMPT_ID, RefundEnd, is_whole};
pub(crate) use state::{Ledger, Watch};
