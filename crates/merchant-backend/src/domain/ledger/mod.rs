//! Giving one operation's money back, by whatever way: rules without input or output, over
//! all that is known of its money.

mod balance;
#[cfg(test)]
pub(crate) mod fixture;
mod manual_return;
mod refund_attempt;
mod release;
mod reversal;
mod schedule;
mod service_list;
mod state;

pub(crate) use balance::Balance;
pub(crate) use manual_return::{NewReturn, ReturnEnd, ReturnRecord, ReturnRefusal};
pub(crate) use refund_attempt::{Asker, AttemptRecord, Ending, NewAttempt, Release};
pub(crate) use release::{ReleaseRefusal, ReversalReleaseRefusal};
pub(crate) use reversal::{NewReversal, Purpose, Reserved, ReversalEnd, ReversalRecord};
pub(crate) use service_list::{ATTEMPT_ID, RefundEnd, is_whole};
pub(crate) use state::{Ledger, RefundRecord, Watch};
