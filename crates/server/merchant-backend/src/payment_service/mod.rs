//! The client of the payment service.
//!
//! ```text
//! client          the five requests, with the access token
//! token           the access token, from a setting or from a file that is read for each request
//! body, error     parses answers; classifies failures by what they prove about the request
//! unaccepted      alerts about answers without an accepted result
//! query_scheduler the rate limit of queries, and their order by urgency
//! backoff         the time for which the service wants no requests of one kind
//! service_clock   the service's clock, from the `Date` of its answers
//! ```
//!
//! The client knows the resources of `payment-model`, and no stored operation: what an answer means for
//! an operation is decided in `payment_rules::operation`. It uses neither the database nor the server's
//! own addresses, and never logs the access token.

mod body;
mod client;
mod error;
mod query_scheduler;
mod response_signals;
mod token;

pub(crate) use client::{Service, ServiceAccess};
pub(crate) use error::{ServiceError, note_failure};
pub(crate) use query_scheduler::Urgency;
pub use token::{TokenError, TokenSource};
