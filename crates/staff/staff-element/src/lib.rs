//! The staff's element `<payment-operations>`: one struct component over a state that knows nothing
//! of browsers.
//!
//! | Module | What it is |
//! |---|---|
//! | `staff_state` | what staff see and do: state, events, and what is to be sent; no browser |
//! | `component` | [`StaffElement`]: carries out what follows |
//! | `api_client` | requests to the merchant's server, and its problems |
//! | `shortcuts` | the keys of the list |
//! | `views` | one view a file, drawn from the state |
//! | `texts` | the texts, in the languages of staff |
//! | [`javascript_api`] | the border to the element's JavaScript in `www/staff-element` |

mod api_client;
mod component;
pub mod javascript_api;
mod shortcuts;
mod staff_state;
mod texts;
mod views;

pub use browser_kit::texts::Locale;
pub use component::{StaffElement, StaffElementProps};

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
