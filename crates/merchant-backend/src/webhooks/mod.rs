//! Sends events to the merchant's own systems, from an outbox: the transaction of a change also writes
//! its event, and the server repeats the delivery until it succeeds.
//!
//! `worker` takes due events from the database, and `delivery` signs and sends one; `sample` sends one that
//! nothing happened for. Which change is an
//! event is decided in `payment_rules::event`. Events contain no personal data.

mod delivery;
mod sample;
mod worker;

pub(crate) use sample::send_sample;
pub(crate) use worker::Worker;
