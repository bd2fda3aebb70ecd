//! A checkout for pages in [Yew](https://yew.rs): the payer pays one order by QR, in installments, in cash or through a
//! bank, and reads *paid* only after your server confirmed it.
//!
//! Start here: put [`CheckoutCard`] on a page and give it an order. `base_url` is the only required one of its
//! [settings](CheckoutProps). Your page brings the renderer: the feature `csr` of Yew.
//!
//! ```no_run
//! use payment_checkout::{CheckoutCard, Notice, Outcome, OrderRequest};
//! use yew::{Callback, Html, component, html};
//!
//! #[component]
//! fn Pay() -> Html {
//!     let on_notice = Callback::from(|notice| {
//!         if let Notice::Result(result) = notice
//!             && result.outcome == Outcome::Paid
//!             && !result.resumed
//!         {
//!             // Lead to the page of the order, which asks your server.
//!         }
//!     });
//!     html! {
//!         <CheckoutCard base_url="/api" live_url="/api/charges/live" request={OrderRequest::order("1001")} {on_notice} />
//!     }
//! }
//! ```
//!
//! | You want to | |
//! |---|---|
//! | name the order | [`OrderRequest`] |
//! | show a price, and refuse another one | [`Money`] |
//! | learn what happens | [`Notice`], [`CheckoutState`], [`ErrorNotice`] |
//! | have buttons of your own around it | [`CheckoutHandle`] |
//! | make the order at the press | [`BeforeStart`] |
//! | replace texts | [`Overrides`], [`CheckoutText`] |
//! | show a payment that exists already | [`OperationRef`] |
//!
//! `examples/yew-shop` of the repository is a shop to copy, and `docs/yew.md` the guide: slots, theming, a strict policy,
//! sizes, and what only the custom element `<payment-checkout>` has, which is for all other pages.
//!
//! The feature `languages` (on) has English and Portuguese beside Spanish, and logs mistakes in the console. The feature
//! `custom-element` is the project's own: what it adds, and what this documentation does not show, is not covered by semantic
//! versioning.
//!
//! What may grow in a minor version: types that are `non_exhaustive`, and the fields of [`CheckoutProps`], which pages make by
//! `html!`. Four types are closed, so a new variant or field is a new major version: [`Outcome`], because a page that delivers
//! goods has to handle each one; [`Locale`], because a page may have texts for each language; [`Money`] and [`OperationRef`],
//! because the specification defines their fields.

#![cfg_attr(
    not(feature = "custom-element"),
    allow(unreachable_pub, reason = "that feature exports it")
)]

mod browser;
mod checkout;
mod shadow_card;
mod texts;

pub mod problems;

pub use browser::Exchange;
pub use browser_kit::texts::Locale;
pub use checkout::{
    BeforeStart, CheckoutHandle, CheckoutProps, ErrorNotice, Notice, OrderRequest,
    OrderRequestError, StartError, use_checkout_handle,
};
pub use checkout_flow::{
    Action as CheckoutAction, ContinueUrl, ErrorCode, Money, OperationRef, ResultNotice,
    State as CheckoutState, StatusNotice,
};
pub use payment_model::{
    Amount, Currency, MerchantCode, MerchantOperationNumber, Outcome, PaymentMethodName,
    TransactionId, TransactionState,
};
pub use shadow_card::CheckoutCard;
pub use texts::{Overrides, Text as CheckoutText, format_money};

#[cfg(feature = "custom-element")]
#[doc(hidden)]
pub use checkout::Checkout;

/// The screens without the flow, for the gallery and the printer of the first screen, and what the element's script has to know
/// before the wasm is there.
#[cfg(feature = "custom-element")]
#[doc(hidden)]
pub mod screens {
    pub use crate::browser::{RETURN_PARAMETER, STORAGE_PREFIX};
    pub use crate::checkout::{PartEvent, SAFE_SCHEMES, ScreenInputs, Timer, draw};
    pub use crate::texts::Texts;
}

/// The samples of the guide are compiled.
#[cfg(doctest)]
#[doc = include_str!("../docs/yew.md")]
mod guide {}
