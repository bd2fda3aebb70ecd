//! The client of the payment service.
//!
//! ```text
//! client        the five requests, with the access token
//! wire          one request and its answer, whichever way they go
//! ready_connection
//!               the way of requests that move money: within their window, and never twice
//! token         the token, from the setting or from a file that is read each time
//! body, error   reads answers; every failure, as what it means for the request
//! unaccepted    alerts about answers without an accepted result
//! query_lanes   the order of queries and their number a second; the urgent ones first
//! rests         how long the service wants no requests of one kind
//! service_clock the service's own time, from its answers
//! ```
//!
//! It knows the resources of `payment-model`, and no stored operation: what an answer means for
//! one is in `payment_rules::operation`. It knows no database and no address of ours, and lets the token
//! into no log.

mod body;
mod client;
mod error;
mod query_lanes;
mod ready_connection;
mod rests;
mod service_clock;
mod token;
mod unaccepted;
mod wire;

pub(crate) use client::{Service, ServiceAccess};
pub(crate) use error::{ServiceError, note_failure};
pub(crate) use query_lanes::Urgency;
pub use token::{TokenError, TokenSource};
