//! The custom element `<payment-checkout>`, as far as it is wasm: the border between the checkout
//! component and the element's JavaScript in `www/checkout-element`.
//!
//! | Module | What it is |
//! |---|---|
//! | [`javascript_api`] | the functions and classes that JavaScript calls |
//! | `options` | the element's attributes and properties |
//! | `events` | the element's events |
//! | `host` | the element in the page |

mod events;
mod host;
pub mod javascript_api;
mod options;

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
