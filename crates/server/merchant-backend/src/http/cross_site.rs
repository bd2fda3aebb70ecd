//! Decides which pages of other sites may call this server.

use super::problem::{Problem, ProblemKind};
use crate::config::Config;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT, AGE, CONTENT_TYPE, DATE, ETAG, HOST, HeaderName, IF_NONE_MATCH, ORIGIN, RETRY_AFTER,
};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::Duration;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::csrf::{CsrfLayer, ProtectionError};

type Refuse = fn(ProtectionError) -> Response;

fn refuse(_: ProtectionError) -> Response {
    let detail = "A page of another site sent this request; its origin is in none of the settings REDIRECT_ALLOW and CORS_ORIGINS.";
    Problem::new(ProblemKind::CrossSite, detail).into_response()
}

/// Refuses requests that a page of another site makes a browser send. The origins of the payers'
/// redirects are the merchant's own pages, and the server has pages with the element itself. They are
/// trusted by name, since a proxy may have rewritten `Host`.
pub(super) fn csrf(config: &Config) -> CsrfLayer<Refuse> {
    let own = config.pay_page_element.as_ref();
    let own = own.map(|_| config.public_url.origin().ascii_serialization());
    let trusted = config
        .redirect_allow
        .origins()
        .chain(config.cors_origins.iter().cloned())
        .chain(own);
    let layer = trusted.fold(CsrfLayer::new(), |layer, origin| {
        // The settings have only valid origins, so that this adds each.
        layer.clone().add_trusted_origin(origin).unwrap_or(layer)
    });
    layer.with_rejection_response(refuse as Refuse)
}

/// Forbids pages of other origins to load an answer as a picture or a script.
pub(super) async fn keep_to_own_origin(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    response
}

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses requests that a page of another origin makes the browser of a member of staff send, also by
/// GET: a download would be in the audit records under the name of that person.
pub(super) async fn own_origin_of_staff(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let is_other = match (headers.get(FETCH_SITE), headers.get(ORIGIN)) {
        (Some(site), _) => site == "same-site" || site == "cross-site",
        // Older browsers say the origin only, and not by a GET of its own page.
        (None, Some(origin)) => !is_of(origin, headers.get(HOST)),
        (None, None) => false,
    };
    match is_other {
        true => other_origin(),
        false => next.run(request).await,
    }
}

/// Whether an origin is that of a host, with any scheme: a proxy may have ended TLS.
fn is_of(origin: &HeaderValue, host: Option<&HeaderValue>) -> bool {
    let authority = origin
        .to_str()
        .ok()
        .and_then(|origin| origin.split_once("://"));
    let host = host.and_then(|host| host.to_str().ok());
    authority
        .zip(host)
        .is_some_and(|((_, authority), host)| authority == host)
}

/// Refuses requests of all other origins to the staff's addresses. The origins of payers' pages are not
/// trusted here: an attacker of such a page must not act for a member of staff in the same browser.
pub(super) fn csrf_of_staff() -> CsrfLayer<Refuse> {
    CsrfLayer::new().with_rejection_response(refuse_for_staff as Refuse)
}

fn refuse_for_staff(_: ProtectionError) -> Response {
    other_origin()
}

fn other_origin() -> Response {
    let detail = "A page of another origin sent this request; the staff's addresses answer pages of their own origin only.";
    Problem::new(ProblemKind::CrossSite, detail).into_response()
}

/// Permits pages of the configured origins to call the payers' addresses and to read the answers.
pub(super) fn cors(config: &Config) -> CorsLayer {
    let origins = config
        .cors_origins
        .iter()
        .filter_map(|origin| HeaderValue::from_str(origin).ok());
    let named = HeaderName::from_static;
    let origins: Vec<_> = origins.collect();
    let allowed = move |origin: &HeaderValue, request: &Parts| {
        let path = request.uri.path();
        let is_payers = !["/api/staff/", "/api/shop/"]
            .iter()
            .any(|folder| path.starts_with(folder));
        is_payers && origins.contains(origin)
    };
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(allowed))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            ACCEPT,
            CONTENT_TYPE,
            IF_NONE_MATCH,
            named("idempotency-key"),
            named("prefer"),
            named("checkout-token"),
            named("checkout-replaces"),
        ])
        // Without these headers the page's countdown, backoff and long polls would fail silently.
        .expose_headers([
            AGE,
            DATE,
            ETAG,
            RETRY_AFTER,
            named("order-state"),
            named("operation-end"),
            named("preference-applied"),
            named("x-request-id"),
        ])
        .max_age(Duration::from_secs(7200))
}
