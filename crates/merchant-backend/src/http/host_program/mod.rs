//! Of the server, the part that the addresses of a host program stand on.

pub(in crate::http) mod orders;
pub(in crate::http) mod payer_session;
pub(in crate::http) mod payers_order;
