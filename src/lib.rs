//! A checkout for pages in [Yew](https://yew.rs): the payer pays one order by QR, in installments, in cash or through a
//! bank, and reads *paid* only after your server confirmed it.
//!
//! Start here: put [`CheckoutCard`] on a page and give it an order. `base_url` is the only required one of its
//! [settings](CheckoutProps). Your page brings the renderer: the feature `csr` of Yew.
//!
//! ```no_run
//! use payment_checkout::{CheckoutCard, Notice, Outcome, Request};
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
//!         <CheckoutCard base_url="/api" live_url="/api/charges/live" request={Request::order("1001")} {on_notice} />
//!     }
//! }
//! ```
//!
//! | You want to | |
//! |---|---|
//! | name the order | [`Request`] |
//! | show a price, and refuse another one | [`Money`] |
//! | learn what happens | [`Notice`], [`State`], [`ErrorNotice`] |
//! | have buttons of your own around it | [`CheckoutHandle`] |
//! | make the order at the press | [`BeforeStart`] |
//! | replace texts | [`Overrides`], [`Text`] |
//! | show a payment that exists already | [`OperationRef`] |
//!
//! `examples/yew-shop` of the repository is a shop to copy, and `docs/yew.md` the guide: slots, theming, a strict policy,
//! sizes, and what only the custom element `<payment-checkout>` has, which is for all other pages.
//!
//! The feature `languages` (on) has English and Portuguese beside Spanish, and logs mistakes in the console.

mod browser;
mod checkout;
mod shadow_card;
mod texts;

pub use browser::Exchange;
pub use browser_kit::texts::Locale;
#[doc(hidden)]
pub use checkout::Checkout;
pub use checkout::{
    BeforeStart, CheckoutHandle, CheckoutProps, ErrorNotice, Notice, Request, RequestError,
    StartError,
};
pub use checkout_flow::{
    Action, ContinueUrl, ErrorCode, Money, OperationRef, ResultNotice, State, StatusNotice,
};
pub use payment_model::{
    Amount, Currency, MerchantCode, MerchantOperationNumber, Outcome, PaymentMethodName,
    TransactionId, TransactionState,
};
pub use shadow_card::CheckoutCard;
pub use texts::{Overrides, Text};

/// The screens without the flow, for the gallery. This module is not covered by semantic versioning.
#[doc(hidden)]
pub mod screens {
    pub use crate::checkout::{Announcer, PartEvent, ScreenInputs, Timer, draw};
    pub use crate::texts::Texts;
}
