//! Events for the merchant's own systems, one for each change. The transaction that makes the
//! change also writes the event. The server repeats it until a delivery succeeds.

mod delivery;
mod worker;

pub(crate) use worker::Worker;
