//! The control interface under `/sandbox`, for tests: they create and drive operations and refunds, set the clock, the
//! faults and the settings (`conditions`), and read the journal. The code under test must never call it.

mod conditions;
mod create;
mod drive;
mod error;
mod journal;
mod operations;

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
        .route("/operations/{number}/{step}", post(drive::drive_operation))
        .route("/refunds/{refund_id}/{step}", post(drive::drive_refund))
        .route("/faults", put(conditions::replace_faults).get(conditions::list_faults))
        .route("/clock", put(conditions::set_clock).get(conditions::show_clock))
        .route("/settings", put(conditions::change_settings).get(conditions::show_settings))
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
