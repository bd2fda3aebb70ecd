//! Reads bodies of requests strictly; every refusal names its cause.
//!
//! It offers `JsonBody`, which takes JSON without repeated fields, and `Object`, whose fields are
//! read one by one and must all be known. It knows no address and no meaning of a field, and
//! repeats no value in a refusal.

pub(in crate::http) mod field;
pub(in crate::http) mod json_body;
mod repeated_fields;
