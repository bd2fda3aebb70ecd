//! The rules of the merchant server: plain data and functions over it, without input or output, a clock or randomness.
//!
//! ```text
//! operation             an attempt to pay: what answers change, and when to ask again
//! ledger                the money of one operation: paid, given back, reserved, unknown
//! payment               the order with all its payments: the aggregate that is loaded, changed and saved
//! accepted              which answers of the service count;  amount_units: its whole numbers
//! order, event, search  an order; what changes are told to the merchant; the searches of staff
//! audit                 an act of staff, as it is kept
//! idempotent_request, idempotent_answer
//!                       a request under a key, and the one answer to it
//! staff_session, purge, backoff
//!                       how long sessions last; what is forgotten; growing pauses between queries
//! reading               the length of time that a clock proves
//! fingerprint           a hash in place of a value that grants access
//! planted               mistakes for the tests of the rules
//! ```
//!
//! It knows `payment-model` and `staff-model`. It must not know the database, the network or HTTP:
//! every instant and every random value is given to it.

#![allow(
    missing_docs,
    reason = "the crate is the server's own; its items have a comment where the name does not say it"
)]
// A clock or a date of the service may have any value: sums of times saturate.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

pub mod accepted;
pub mod amount_units;
pub mod audit;
mod backoff;
pub mod event;
pub mod fingerprint;
pub mod idempotent_answer;
pub mod idempotent_request;
pub mod ledger;
pub mod operation;
pub mod order;
pub mod payment;
pub mod planted;
pub mod purge;
pub mod reading;
pub mod search;
pub mod staff_session;
pub mod statement;
