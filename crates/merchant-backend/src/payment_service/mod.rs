//! The client of the payment service.

mod body;
mod client;
mod error;
mod query_lanes;
mod rests;
mod service_clock;
mod token;

pub(crate) use client::Service;
pub(crate) use error::{ServiceError, note_failure};
pub(crate) use query_lanes::Urgency;
pub use token::{TokenError, TokenSource};
