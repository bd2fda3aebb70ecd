//! The demo's shop, as an example of a merchant's own program: `merchant-backend` handles payments
//! and staff, and this crate adds a catalog and makes orders.
//!
//! A merchant writes such a program and leaves the server's source alone: routes whose state is
//! [`Orders`](merchant_backend::Orders), and a `main` that hands them to
//! [`run`](merchant_backend::run). A route that makes an order asks for the payer's session with
//! [`Orders::payer`](merchant_backend::Orders::payer), prices the items, and calls
//! [`Orders::register`](merchant_backend::Orders::register).
//!
//! The demo serves its pages from the same program; a merchant's pages may come from anywhere.

mod catalog;
mod pages;
mod routes;

pub use pages::pages;
pub use routes::routes;
