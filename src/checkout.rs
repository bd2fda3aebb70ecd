//! The checkout: one struct component that runs the flow, and plain functions that draw it.

mod body;
mod calls;
mod commands;
mod component;
mod props;
mod state;
mod views;

pub use component::Checkout;
pub use props::{CheckoutProps, Request};
pub use views::{Around, checkout as draw};
