//! The checkout: one struct component that runs the flow, and plain functions that draw it.

mod authorize_body;
mod before_start;
mod commands;
mod component;
mod handle;
mod message;
mod notice;
mod props;
mod request;
mod running_calls;
mod views;
mod warm_up;

pub use before_start::{BeforeStart, StartError};
pub use component::Checkout;
pub use handle::{CheckoutHandle, use_checkout_handle};
pub use notice::{ErrorNotice, Notice};
pub use props::CheckoutProps;
pub use request::{OrderRequest, OrderRequestError};
#[cfg(feature = "custom-element")]
pub use views::{PartEvent, SAFE_SCHEMES, ScreenInputs, Timer, draw};
