//! The demo shop, an example of a merchant's own program: `merchant-backend` handles payments and staff, and this
//! crate adds a catalog and creates orders.
//!
//! A merchant writes such a program without changing the server: routes whose state is
//! [`Orders`](merchant_backend::Orders), and a `main` that passes them to [`run`]. A route
//! that creates an order gets the payer's session from [`Orders::payer`](merchant_backend::Orders::payer), looks the
//! prices up, and calls [`Orders::register`](merchant_backend::Orders::register).
//!
//! The demo serves its pages from the same program. A merchant's pages may be served by another one.

mod catalog;
pub mod event_receiver;
mod pages;
mod routes;

pub use pages::pages;
pub use routes::routes;

use merchant_backend::{OwnRoutes, Settings, run};
use std::process::ExitCode;

/// The program `demo-shop`, with its settings from the command line and the environment.
#[must_use]
pub fn program() -> ExitCode {
    let settings = Settings::from_command_line("demo-shop");
    run(&settings, |orders| {
        let api = routes(orders)?;
        let pages = pages()?;
        Ok(OwnRoutes { api, pages })
    })
}
