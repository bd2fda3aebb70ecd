//! The sandbox as merchants, payers and tests meet it: over HTTP.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, also in its helpers"
)]

mod authorize;
mod cancel;
mod control;
mod expiry;
mod faults;
mod headers;
mod journal;
mod lender_bank_agent;
mod limits;
mod notifications;
mod pages;
mod qr;
mod query;
mod refunds;
mod states;
mod support;
mod test_amounts;
