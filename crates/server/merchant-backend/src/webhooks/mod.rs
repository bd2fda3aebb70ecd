//! Sends events to the merchant's own systems, from an outbox: the transaction of a change also writes
//! its event, and the server repeats the delivery until it succeeds.
//!
//! Each receiver has a `worker`, which takes its due events from the database, and `delivery` signs and sends
//! one. `upkeep` notes the receivers, removes old events and resumes a receiver that was stopped; `sample` sends an
//! event that nothing happened for.
//! Which change is an event is decided in `payment_rules::event`. Events contain no personal data.

mod delivery;
mod sample;
mod upkeep;
mod worker;

pub(crate) use sample::send_sample;
pub(crate) use upkeep::resume;
pub(crate) use upkeep::{keep_up, note_receivers};
pub(crate) use worker::Worker;
