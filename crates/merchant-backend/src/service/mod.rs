//! The client of the payment service.

mod body;
mod client;
mod error;
mod rest;
mod token;

pub(crate) use client::Service;
pub(crate) use error::ServiceError;
pub use token::{TokenError, TokenSource};
