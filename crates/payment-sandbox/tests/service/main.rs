//! The sandbox as merchants, payers and tests meet it: over HTTP.

mod authorize;
mod cancel;
mod control;
mod expiry;
mod faults;
mod harness;
mod headers;
mod journal;
mod notifications;
mod pages;
mod query;
mod states;
