//! What the merchant's own systems are told: an event a change, written in the transaction
//! that makes the change, and delivered until it is answered.

mod courier;
mod event;
mod post;
mod signature;

pub(crate) use courier::run;
pub(crate) use event::{Event, EventKind, Refunded};
pub(crate) use signature::SigningKey;
