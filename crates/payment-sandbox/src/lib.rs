//! The payment service, simulated over real HTTP.

mod charge;
mod clock;
mod control;
mod fault;
mod journal;
mod json;
mod notification;
mod pages;
mod qr;
mod random;
mod sandbox;
mod service;
mod settings;
mod world;

pub use clock::Clock;
pub use sandbox::{Sandbox, Setup};

use axum::Router;
use axum::routing::get;

/// Every route of the sandbox.
pub fn app(sandbox: Sandbox) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .nest("/sandbox", control::routes())
        .merge(pages::routes())
        .merge(service::routes())
        .with_state(sandbox)
}
