//! Events for the merchant's own systems, one for each change. The transaction that makes the
//! change also writes the event. The server repeats it until a delivery succeeds.
//!
//! `worker` takes due events from the database, and `delivery` signs and sends one. It knows no
//! rule about which change is an event, which is in `payment_rules::event`, and no person: none is in an
//! event.

mod delivery;
mod worker;

pub(crate) use worker::Worker;
