//! The checkout component for pages in Yew.
//!
//! A Yew page embeds [`CheckoutCard`]: the [`Checkout`] in an open shadow root with its style sheet, since its
//! styles and ids need a tree of their own. The page brings its own renderer. For all other pages the crate
//! `checkout-element` wraps this one as the custom element `<payment-checkout>`.
//!
//! | Module | What it is |
//! |---|---|
//! | `shadow_card` | [`CheckoutCard`]: the checkout in a shadow root of its own |
//! | `checkout` | [`Checkout`]: runs the flow, carries out its commands, draws its screens |
//! | `browser` | the browser services that the flow needs, one in each file |
//! | `texts` | the payer's texts with the page's overrides, money and dates |

mod browser;
mod checkout;
mod shadow_card;
mod texts;

pub use browser::Exchange;
pub use browser_kit::texts::Locale;
pub use checkout::{
    BeforeStart, Checkout, CheckoutHandle, CheckoutProps, ErrorNotice, Notice, Request,
    RequestError, StartError,
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
