//! The rules: plain data and functions over it, without input or output, a clock or randomness.

pub(crate) mod event;
mod growing_pauses;
pub(crate) mod idempotent_answer;
pub(crate) mod idempotent_request;
pub(crate) mod ledger;
pub(crate) mod operation;
pub(crate) mod order;
pub(crate) mod purge;
pub(crate) mod search;
pub(crate) mod staff_session;
