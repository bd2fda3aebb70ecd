//! The rules: plain data and functions over it, without input or output, a clock or randomness.
//!
//! ```text
//! operation             an attempt to pay: what answers change, and when to ask again
//! ledger                the money of one operation: paid, given back, reserved, unknown
//! payment               both together: what one answer of the service changes in them
//! accepted              which answers of the service count
//! order, event, search  an order; what changes are told to the merchant; the searches of staff
//! idempotent_request, idempotent_answer
//!                       a request under a key, and the one answer to it
//! staff_session, purge, growing_pauses
//!                       how long sessions last; what is forgotten; how pauses grow
//! reading               the length of time that a clock proves
//! planted               mistakes for the tests of the rules
//! ```
//!
//! It knows `payment-model` and `staff-model`. It must not know the database, the network or HTTP:
//! every instant and every random value is given to it.

pub(crate) mod accepted;
pub(crate) mod event;
mod growing_pauses;
pub(crate) mod idempotent_answer;
pub(crate) mod idempotent_request;
pub(crate) mod ledger;
pub(crate) mod operation;
pub(crate) mod order;
pub(crate) mod payment;
pub(crate) mod planted;
pub(crate) mod purge;
pub(crate) mod reading;
pub(crate) mod search;
pub(crate) mod staff_session;
pub(crate) mod statement;
