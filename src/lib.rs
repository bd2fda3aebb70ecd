//! The checkout component: a Yew component, and with the feature `element` the custom element
//! `<payment-checkout>` over it.
//!
//! A Yew page embeds [`CheckoutCard`], which is [`Checkout`] in an open shadow root with its style sheet:
//! its styles and ids are made for a tree of their own.
//!
//! | Module | What it is |
//! |---|---|
//! | `card` | [`CheckoutCard`]: the checkout in a shadow root of its own |
//! | `checkout` | [`Checkout`]: runs the flow, carries its commands out, draws its screens |
//! | `browser` | the services that the flow needs of the browser, one a file |
//! | `i18n` | texts, money and dates in the payer's language |
//! | `gallery` | every screen from made-up states, with the feature of that name |
//! | `operations` | [`Operations`]: the staff's element, with the feature of that name |
//! | `element` | the border to the custom element's JavaScript |

mod browser;
mod card;
mod checkout;
#[cfg(feature = "element")]
pub mod element;
#[cfg(feature = "gallery")]
pub mod gallery;
mod i18n;
#[cfg(feature = "operations")]
pub mod operations;

pub use card::CheckoutCard;
pub use checkout::{Checkout, CheckoutProps, Request};
pub use checkout_flow::{
    ContinueUrl, ErrorCode, Money, Notice, OperationRef, ResultNotice, StatusNotice,
};
pub use i18n::{Locale, Overrides};
#[cfg(feature = "operations")]
pub use operations::{Operations, OperationsProps};
pub use payment_model::{Amount, Currency, Outcome, PaymentMethodName};

// The library leaves this to the developer who builds the page.
#[cfg(all(
    any(feature = "element", feature = "gallery", feature = "operations"),
    target_family = "wasm"
))]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
