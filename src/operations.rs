//! The staff's element: one struct component over a desk that knows nothing of browsers.
//!
//! | Module | What it is |
//! |---|---|
//! | `desk` | what staff see and do: state, events, and what is to be sent; no browser |
//! | `component` | [`Operations`]: carries out what follows |
//! | `server` | requests to the merchant's server, and its problems |
//! | `views` | one view a file, drawn from the desk |
//! | `words` | the texts, in the languages of the payer's element |

mod component;
mod desk;
#[cfg(all(feature = "operations", not(feature = "element")))]
pub mod element;
mod server;
mod views;
mod words;

pub use component::{Operations, OperationsProps};
