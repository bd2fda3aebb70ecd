//! Bodies of requests, read so that everything odd is refused by name.

pub(in crate::http) mod field;
pub(in crate::http) mod json_body;
mod repeated_fields;
