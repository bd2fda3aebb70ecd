//! The checkout component: a Yew component, and with the feature `element` the custom element
//! `<payment-checkout>` over it.
//!
//! | Module | What it is |
//! |---|---|
//! | `checkout` | [`Checkout`]: runs the flow, carries its commands out, draws its screens |
//! | `browser` | the browser's services, one a file; nothing else touches them |
//! | `i18n` | texts, money and dates in the payer's language |
//! | `element` | the border to the custom element's JavaScript |

mod browser;
mod checkout;
#[cfg(feature = "element")]
pub mod element;
mod i18n;

pub use checkout::{Checkout, CheckoutProps, Request};
pub use i18n::{Locale, Overrides};

// The library leaves this to whoever builds the page.
#[cfg(all(feature = "element", target_family = "wasm"))]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
