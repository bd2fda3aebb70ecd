//! The checkout component for pages in Yew.
//!
//! A Yew page embeds [`CheckoutCard`], which is [`Checkout`] in an open shadow root with its style sheet:
//! its styles and ids are made for a tree of their own. The page brings its own renderer. The custom
//! element `<payment-checkout>` for all other pages is the crate `checkout-element` over this one.
//!
//! | Module | What it is |
//! |---|---|
//! | `shadow_card` | [`CheckoutCard`]: the checkout in a shadow root of its own |
//! | `checkout` | [`Checkout`]: runs the flow, carries its commands out, draws its screens |
//! | `browser` | the services that only the flow needs of the browser, one a file |
//! | `texts` | the payer's texts, in one file a language |

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

/// The screens without the flow, for the gallery of screens. It changes with them, and without
/// notice.
#[doc(hidden)]
pub mod screens {
    pub use crate::checkout::{Announcer, PartEvent, ScreenInputs, Timer, draw};
    pub use crate::texts::Texts;
}
