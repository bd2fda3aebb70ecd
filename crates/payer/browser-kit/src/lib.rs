//! Browser services, and the machinery of texts, that the payer's component and the staff's element
//! share. Nothing in here knows a state of a payment.
//!
//! | Module | What it offers |
//! |---|---|
//! | [`clock`] | time and randomness |
//! | [`http`] | requests to the merchant's server, before they are sent and when they are answered |
//! | [`running_requests`] | requests that end when they take too long or when they are no longer wanted |
//! | [`timer`] | timers that stop when they are dropped |
//! | [`listener`] | listeners that are removed when they are dropped |
//! | [`json`] | between our types and the values of the browser's own JSON |
//! | [`mod@texts`] | languages, templates, and money, numbers and dates by the browser's `Intl` |
//! | [`copy_button`] | a number with a button that copies it |
//! | [`written_number`] | numbers and names in pieces that stay in one line |
//! | `panic_report` | reports to JavaScript where the wasm panicked, with the feature `csr` |

pub mod clock;
pub mod copy_button;
pub mod http;
pub mod json;
pub mod listener;
#[cfg(feature = "csr")]
pub mod panic_report;
pub mod running_requests;
pub mod texts;
pub mod timer;
pub mod written_number;

pub use checkout_texts::texts;
