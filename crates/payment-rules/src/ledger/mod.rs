//! The rules for giving one operation's money back, by any way: without input or output, over all
//! that is known of its money.
//!
//! ```text
//! state, balance        a ledger, and its sums
//! refund_attempts, manual_returns, reversals
//!                       reserves money, and ends the reservations (`…_record` has the data)
//! refund_reservation    a request of staff: all its refunds are allowed and reserved, or none
//! service_list, refund_record
//!                       the service's own list of refunds, which has the last word
//! doubt_releases        a second person ends a doubt
//! exceptions            which exceptions staff may take off the list
//! limits                what an account may still give back
//! schedule              when to look again
//! ```
//!
//! It knows no request, no member of staff beyond a name, and nothing of the way to a payment.

mod balance;
mod doubt_releases;
mod exceptions;
#[cfg(any(test, feature = "fixtures"))]
#[allow(clippy::unwrap_used, reason = "only tests make these values")]
pub mod fixture;
mod limits;
mod manual_return_record;
mod manual_returns;
mod refund_attempt_record;
mod refund_attempts;
mod refund_record;
mod refund_reservation;
mod reversal_record;
mod reversals;
mod schedule;
mod service_list;
mod state;

pub use balance::Balance;
pub use doubt_releases::{ListProof, ReleaseRefusal, ReversalReleaseRefusal};
pub use limits::{GivenBack, Limits};
pub use manual_return_record::{
    NewReturn, ReturnEnd, ReturnEndRefusal, ReturnRecord, ReturnRefusal, ReturnStep,
};
pub use refund_attempt_record::{Asker, AttemptRecord, Ending, NewAttempt, Release};
pub use refund_record::RefundRecord;
pub use refund_reservation::{NewRefund, ReserveRefundsOutcome, reserve_refunds};
pub use reversal_record::{EndCause, NewReversal, Purpose, ReversalEnd, ReversalRecord};
pub use reversals::ReserveReversalOutcome;
pub use schedule::{REFUND_LISTED, RETURN_LISTED};
pub use service_list::{ATTEMPT_ID, is_whole};
pub use state::{Ledger, LedgerEntries, Watch};
