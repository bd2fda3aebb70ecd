//! The checkout: one struct component that runs the flow, and plain functions that draw it.

mod views;

pub(crate) use views::Around;
