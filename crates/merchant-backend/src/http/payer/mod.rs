//! The addresses that payers' browsers use.

pub(in crate::http) mod authorize;
pub(in crate::http) mod cancel;
mod entity_tag;
pub(in crate::http) mod notification;
mod prefer_header;
mod problems;
pub(crate) mod session;
pub(in crate::http) mod status;
