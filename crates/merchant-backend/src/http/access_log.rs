use crate::random::token;
use axum::extract::{MatchedPath, Request};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, HeaderName, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;
use tracing::Instrument;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives the request an id, logs its result, and marks the answer as not to be stored.
///
/// The log names the route and never the address: addresses hold operation numbers and the
/// tokens of callbacks. The id is always ours, since a given one could hold anything. The layers of
/// `tower-http` keep a given id, so that they would need more lines around them than these.
pub(super) async fn log(request: Request, next: Next) -> Response {
    let id = token().unwrap_or_default();
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "(none)".to_owned(), |path| path.as_str().to_owned());
    let span = tracing::info_span!("request", id, %method, route);
    let start = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let elapsed_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let status = response.status().as_u16();
    span.in_scope(|| tracing::info!(status, elapsed_ms, "answered"));
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
