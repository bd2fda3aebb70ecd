//! The addresses that payers' browsers use, and the one that the payment service notifies.
//!
//! ```text
//! authorize, cancel, live, status, notification
//!                       the addresses
//! status_answer         what an answer about an operation says
//! session               the cookie of a payer
//! named_order           the order in a body
//! prefer_header, entity_tag, replaces_header
//!                       how long a request is held, which state the browser has already, and
//!                       which operation the payer leaves
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
pub(in crate::http) mod live;
mod named_order;
pub(in crate::http) mod notification;
mod order_problems;
mod prefer_header;
mod problems;
mod replaces_header;
pub(crate) mod session;
pub(in crate::http) mod status;
mod status_answer;
