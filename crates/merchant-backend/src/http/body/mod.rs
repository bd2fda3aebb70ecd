//! Reads the bodies of requests with serde, strictly; every refusal names the wrong field.
//!
//! ```text
//! json_body  the extractor: a whole body in time, which is JSON of a type
//! refusal    what serde refuses, and rules beyond a type, as problems
//! by_name    an object, where serde's derive would take a list too
//! text       a text that is not empty
//! ```
//!
//! Bodies are derived types with `deny_unknown_fields`: to ignore a field would hide a mistake, or
//! an attempt to set what only the server may set. This folder knows no address and no meaning of a
//! field, and repeats no value in a refusal.

mod by_name;
mod json_body;
mod refusal;
mod text;

pub use by_name::ByName;
pub use json_body::JsonBody;
pub(in crate::http) use refusal::{missing, not_allowed, wrong};
pub(in crate::http) use text::Text;
