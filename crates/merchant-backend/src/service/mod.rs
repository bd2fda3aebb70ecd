//! The client of the payment service.

mod body;
mod client;
mod clock;
mod error;
mod lanes;
mod rest;
mod token;

pub(crate) use client::Service;
pub(crate) use error::{ServiceError, note_failure};
pub(crate) use lanes::Urgency;
pub use token::{TokenError, TokenSource};
