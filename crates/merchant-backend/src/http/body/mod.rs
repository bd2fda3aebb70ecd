//! Reads bodies of requests strictly; every refusal names its cause.

pub(in crate::http) mod field;
pub(in crate::http) mod json_body;
mod repeated_fields;
