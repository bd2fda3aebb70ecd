//! The addresses under `/api`: from a request to a use case, and from its result to an answer.
//!
//! ```text
//! payer, staff, health  the addresses, one a file
//! merchant_routes       for the routes of the merchant's own program: sessions, orders, limits
//! app                   the state of the router: the use cases and settings that handlers need
//! body, idempotency_header, caller, caller_address
//!                       reads requests strictly
//! limits, cross_site    how much a client may do; what pages of other sites may do
//! problem, failure      refusals by RFC 9457, and failures whose cause only the log has
//! readiness, access_log the probe of the database; one line for each answer
//! metrics               figures for Prometheus
//! ```
//!
//! Only this folder knows status codes, headers and problems: a use case refuses with a type of
//! its own. It has no rule of a payment, sends nothing to the payment service, and believes
//! nothing that a browser says of an amount or a state.

mod access_log;
pub(crate) mod app;
mod body;
mod caller;
mod caller_address;
mod cross_site;
mod failure;
mod health;
mod idempotency_header;
pub(crate) mod limits;
mod merchant_routes;
mod metrics;
mod nul;
pub(crate) mod payer;
pub(crate) mod problem;
pub(crate) mod readiness;
mod staff;

use crate::clock::now;
use crate::db::DbError;
use crate::http::problem::ProblemKind;
use crate::payments::checkout_token;
pub(crate) use app::{App, Parts};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderMap;
use axum::middleware::{from_fn, map_response};
use axum::routing::{delete, get, post};
pub use body::{ByName, JsonBody};
pub use caller::Caller;
pub use failure::Failure;
use failure::internal;
pub(crate) use limits::Limits;
pub use merchant_routes::orders::Orders;
pub(crate) use merchant_routes::orders::OrdersParts;
pub use merchant_routes::payer_session::PayerSession;
pub use merchant_routes::payers_order::{OrderOperation, PayersOrder};
use payer::session::Session;
pub(crate) use payer::session::Sessions;
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::order::OrderFacts;
pub use problem::Problem;
pub(crate) use readiness::Readiness;
use tower_http::catch_panic::CatchPanicLayer;

/// The largest body.
const LARGEST_BODY: usize = 64 * 1024;

/// Every address of the server, with the merchant's own routes under `/api` beside them.
pub(crate) fn router(app: &App, further_routes: Router) -> Router {
    let health = Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz));
    let api = Router::new()
        .merge(health.clone())
        .route("/charges", post(payer::authorize::authorize))
        .route("/charges/live", post(payer::live::live))
        .route(
            "/charges/{merchant_code}/{number}",
            delete(payer::cancel::cancel),
        )
        .route(
            "/charges/{merchant_code}/{number}/{transaction_id}",
            get(payer::status::status),
        )
        .nest("/staff", staff_addresses())
        .merge(further_routes.with_state(()))
        .route_layer(from_fn(nul::reject_nul))
        // Of its address only a hash is looked up.
        .route("/notifications/{token}", post(payer::notification::notify));
    Router::new()
        .merge(health)
        .route("/metrics", get(metrics::metrics))
        .nest("/api", api)
        .fallback(async || nothing_here())
        .method_not_allowed_fallback(async || {
            Problem::new(
                ProblemKind::MethodNotAllowed,
                "Use a method that the header Allow lists.",
            )
        })
        .with_state(app.clone())
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(cross_site::csrf(&app.config))
        .layer(CatchPanicLayer::custom(|_| internal()))
        // The outermost layer, or another origin could not read a refusal.
        .layer(cross_site::cors(&app.config))
        .layer(map_response(cross_site::keep_to_own_origin))
        .layer(from_fn(access_log::log))
}

fn nothing_here() -> Problem {
    Problem::new(ProblemKind::NotFound, "There is nothing at this address.")
}

fn staff_addresses() -> Router<App> {
    staff::router()
        .layer(cross_site::csrf_of_staff())
        .layer(from_fn(cross_site::own_origin_of_staff))
}

/// An operation and the session of the request, if they belong together. An unknown operation
/// and one of another session are looked up and answered in the same way.
async fn own_operation(
    app: &App,
    headers: &HeaderMap,
    key: &OperationKey,
) -> Result<(OperationRecord, Session), Failure> {
    let session = app.sessions.of(headers);
    let (record, order) = find(app, key).await?.ok_or_else(Problem::not_found)?;
    match session {
        Some(session) if app.db.lets_session(&order, &session.hash).await? => Ok((record, session)),
        _ => Err(Problem::not_found().into()),
    }
}

/// An operation that the request may read, by its session or by its checkout token. Returns the
/// reader too, for the limits.
async fn readable_operation(
    app: &App,
    headers: &HeaderMap,
    key: &OperationKey,
) -> Result<(OperationRecord, String), Failure> {
    let token = headers
        .get(checkout_token::HEADER)
        .and_then(|value| value.to_str().ok());
    let named = token.and_then(|token| checkout_token::open(&app.cookie_key, token, now()));
    if named.as_ref() == Some(key) {
        let (record, _) = find(app, key).await?.ok_or_else(Problem::not_found)?;
        let reader = format!("token {} {}", key.merchant_code, key.number);
        return Ok((record, reader));
    }
    let (record, session) = own_operation(app, headers, key).await?;
    Ok((record, session.hash))
}

async fn find(
    app: &App,
    key: &OperationKey,
) -> Result<Option<(OperationRecord, OrderFacts)>, DbError> {
    let record = app.db.operation(key).await?;
    let order_id = record
        .as_ref()
        .map_or("", |record| record.order_id.as_str());
    let order = app.db.order(order_id).await?;
    Ok(record.zip(order))
}
