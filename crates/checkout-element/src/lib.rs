//! The custom element `<payment-checkout>`, as far as it is wasm: the border between the checkout
//! component and the element's JavaScript in `www/element`.
//!
//! | Module | What it is |
//! |---|---|
//! | [`javascript_api`] | everything that JavaScript calls, and the options that it hands over |
//! | `events` | the element's events |

mod events;
pub mod javascript_api;

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
