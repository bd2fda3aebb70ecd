//! What the merchant's own systems are told: an event a change, written in the transaction
//! that makes the change, and delivered until it is answered.

mod delivery;
mod signature;
mod worker;

pub(crate) use signature::SigningKey;
pub(crate) use worker::Worker;
