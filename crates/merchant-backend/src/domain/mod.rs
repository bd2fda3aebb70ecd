//! The rules: plain data and functions over it, without input or output, a clock or randomness.

pub(crate) mod event;
pub(crate) mod keyed_answer;
pub(crate) mod keyed_request;
pub(crate) mod ledger;
pub(crate) mod operation;
pub(crate) mod order;
mod pauses;
pub(crate) mod purge;
pub(crate) mod search;
pub(crate) mod staff_session;
