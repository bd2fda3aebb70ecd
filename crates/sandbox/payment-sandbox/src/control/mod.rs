//! The control interface under `/sandbox`, with one file for each address. Tests use it to change the state of
//! operations, to inject faults and to read the journal. The code under test must never call it.

mod clock;
mod create;
mod drive;
mod error;
mod faults;
mod journal;
mod operations;
mod refunds;
mod settings;

use crate::Sandbox;
use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::StatusCode;
use axum::http::header::HOST;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use error::ControlError;
use payment_model::names_this_machine;
use std::net::SocketAddr;

/// The routes under `/sandbox`.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/operations", get(operations::list).post(create::create))
        .route("/operations/{number}", get(operations::show))
        .route("/operations/{number}/{step}", post(drive::drive))
        .route("/refunds/{refund_id}/{step}", post(refunds::drive))
        .route("/faults", put(faults::replace).get(faults::list))
        .route("/clock", put(clock::set).get(clock::show))
        .route("/settings", put(settings::change).get(settings::show))
        .route("/journal", get(journal::read).delete(journal::clear))
        .route("/reset", post(reset))
        .method_not_allowed_fallback(async || {
            ControlError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this path takes the methods in the header Allow",
            )
        })
        .fallback(async || {
            ControlError::not_found(
                "the control interface has operations, refunds, faults, clock, settings, journal and reset",
            )
        })
        .layer(from_fn(refuse_other_sites))
}

/// Rejects requests from pages of other sites, since any page in a developer's browser could otherwise change
/// the sandbox. A page whose name leads to this machine is of the same site to the browser, and sends that name.
async fn refuse_other_sites(request: Request, next: Next) -> Response {
    let site = request.headers().get("sec-fetch-site");
    let is_cross = !request.method().is_safe() && site.is_some_and(|site| site == "cross-site");
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let is_from_here = peer.is_some_and(|peer| peer.ip().to_canonical().is_loopback());
    let host = request.headers().get(HOST);
    let host = host.and_then(|host| host.to_str().ok());
    if is_cross || is_from_here && !host.is_none_or(names_this_machine) {
        let message = "a page of another site sent this request";
        return ControlError::new(StatusCode::FORBIDDEN, message).into_response();
    }
    next.run(request).await
}

/// `POST /sandbox/reset`: restores the state after the start.
async fn reset(State(sandbox): State<Sandbox>) -> StatusCode {
    sandbox.reset();
    StatusCode::NO_CONTENT
}
