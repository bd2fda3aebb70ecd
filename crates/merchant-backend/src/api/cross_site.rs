//! Which other sites' pages may call this server.

use crate::config::Config;
use crate::problem::{Problem, ProblemKind};
use axum::http::header::{ACCEPT, CONTENT_TYPE, DATE, HeaderName, RETRY_AFTER};
use axum::http::{HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use std::time::Duration;
use tower_http::cors::CorsLayer;
use tower_http::csrf::{CsrfLayer, ProtectionError};

type Refuse = fn(ProtectionError) -> Response;

fn refuse(_: ProtectionError) -> Response {
    let detail = "A page of another site sent this request; its origin is in none of the settings REDIRECT_ALLOW and CORS_ORIGINS.";
    Problem::new(ProblemKind::CrossSite, detail).into_response()
}

/// Refuses what a page of another site makes a browser send. The origins that payers are
/// sent back to are the merchant's own pages, so they are trusted; a proxy in between may
/// have rewritten `Host`.
pub(super) fn csrf(config: &Config) -> CsrfLayer<Refuse> {
    let trusted = config
        .redirect_allow
        .origins()
        .chain(config.cors_origins.iter().cloned());
    let layer = trusted.fold(CsrfLayer::new(), |layer, origin| {
        // An origin that was parsed and written by us is always a valid one.
        layer.clone().add_trusted_origin(origin).unwrap_or(layer)
    });
    layer.with_rejection_response(refuse as Refuse)
}

/// Lets the pages of the configured origins call and read.
pub(super) fn cors(config: &Config) -> CorsLayer {
    let origins = config
        .cors_origins
        .iter()
        .filter_map(|origin| HeaderValue::from_str(origin).ok());
    let named = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(origins.collect::<Vec<_>>())
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            ACCEPT,
            CONTENT_TYPE,
            named("idempotency-key"),
            named("prefer"),
            named("checkout-token"),
        ])
        // Without these, countdown, back-off and long polling would degrade unseen.
        .expose_headers([
            DATE,
            RETRY_AFTER,
            named("preference-applied"),
            named("x-request-id"),
        ])
        .max_age(Duration::from_secs(7200))
}
