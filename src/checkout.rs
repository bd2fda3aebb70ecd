//! The checkout: one struct component that runs the flow, and plain functions that draw it.

mod body;
mod calls;
mod commands;
mod component;
mod props;
mod state;
mod views;

pub use component::Checkout;
#[cfg(feature = "element")]
pub(crate) use component::Message;
pub use props::{CheckoutProps, Request};
pub(crate) use views::Around;
#[cfg(feature = "gallery")]
pub(crate) use views::checkout as draw;
#[cfg(feature = "operations")]
pub(crate) use views::{Copy, CopyProps};
