//! The addresses that payers' browsers use, and the one that the payment service notifies.
//!
//! ```text
//! authorize, cancel, status, notification
//!                       the addresses
//! session               the cookie of a payer
//! prefer_header, entity_tag
//!                       how long a request is held, and which state the browser has already
//! problems, order_problems
//!                       refusals of the use cases as problems
//! ```
//!
//! A payer reaches the operations of the own session, or the one that a checkout token names, and
//! may pay the order that the shop's token or key names. It
//! knows no member of staff, takes no amount from a browser, and believes no notification: that
//! only makes the server ask.

pub(in crate::http) mod authorize;
pub(in crate::http) mod cancel;
mod entity_tag;
pub(in crate::http) mod notification;
mod order_problems;
mod prefer_header;
mod problems;
pub(crate) mod session;
pub(in crate::http) mod status;
