//! The addresses under `/api`: they turn a request into a call of a use case, and its result into an
//! answer.
//!
//! ```text
//! payer, staff, shop    the handlers, one file for each act
//! pay_page              the server's own page of an order, for browsers without scripts
//! monitoring            health, readiness and metrics
//! merchant_routes       what the routes of the merchant's own program need
//! app                   the state of the router: the use cases and settings that handlers need
//! body, caller          strict readers of requests
//! doors                 every route with its limits of body, time and rate, before its handler runs
//! limits                limits of payers' requests: their rate, and how many are held at once
//! cross_site            which pages of other sites may call the server
//! problem               refusals by RFC 9457, and failures whose cause is only logged
//! ```
//!
//! Only this folder knows status codes, headers and problems: a use case refuses with a type of its own.
//! The folder has no rule of a payment, sends nothing to the payment service, and takes no amount and no
//! state from a browser.

pub(crate) mod app;
mod body;
mod caller;
mod cross_site;
mod doors;
pub(crate) mod limits;
mod merchant_routes;
mod monitoring;
mod pay_page;
pub(crate) mod payer;
mod prefer;
pub(crate) mod problem;
mod shop;
mod staff;

use crate::random::token;
use crate::trace::{self, Trace};
pub(crate) use app::{App, Parts, Readiness, StoredCodes};
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{MatchedPath, Path, Request, State};
use axum::http::header::{CACHE_CONTROL, HeaderName, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
pub use body::{ByName, JsonBody};
pub use caller::Caller;
use doors::{Door, JSON_BYTES, Rate};
pub(crate) use limits::Limits;
pub(crate) use merchant_routes::OrdersParts;
pub use merchant_routes::{OrderOperation, Orders, PayerSession, PayersOrder};
use pay_page::Keeping;
pub(crate) use payer::session::Sessions;
use payment_rules::operation::OperationKey;
pub use problem::{Failure, Problem};
use problem::{ProblemKind, internal};
use std::time::Instant;
use tower_http::catch_panic::CatchPanicLayer;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Every address of the server, and the merchant's own routes under `/api`.
pub(crate) fn router(app: &App, further_routes: Router) -> Router {
    let api = doors::router(app, payer_doors())
        .nest("/shop", doors::router(app, shop::doors()))
        .nest("/staff", staff_addresses(app))
        .merge(doors::limited(app, further_routes).with_state(()))
        .route_layer(from_fn(reject_nul))
        // The database is asked only for a hash of this token, which has no U+0000.
        .merge(doors::router(app, vec![notification_door()]));
    doors::router(app, monitoring_doors())
        .nest("/api", api)
        .fallback(async || Problem::nothing_here())
        .method_not_allowed_fallback(async || Problem::wrong_method())
        .with_state(app.clone())
        .layer(cross_site::csrf(&app.config))
        // The handle in its address is the only right to a page, so that no other site has one to borrow. A page
        // that sends no referrer sends no origin either, which the layer would refuse.
        .nest("/api/pay", pay_page::router(app).with_state(app.clone()))
        .layer(CatchPanicLayer::custom(|_| internal()))
        // Outside of all layers that refuse, since otherwise a page of a permitted origin could not read
        // the refusal.
        .layer(cross_site::cors(&app.config))
        .layer(map_response(cross_site::keep_to_own_origin))
        .layer(from_fn_with_state(app.clone(), log))
}

fn payer_doors() -> Vec<Door> {
    let (operation, client) = ("/charges/{merchant_code}/{number}", Rate::Client);
    let transaction = format!("{operation}/{{transaction_id}}");
    vec![
        Door::new(
            Method::POST,
            "/charges",
            JSON_BYTES,
            client,
            payer::authorize::authorize,
        ),
        Door::new(
            Method::POST,
            "/charges/live",
            JSON_BYTES,
            client,
            payer::status::live,
        ),
        Door::new(Method::DELETE, operation, 0, client, payer::cancel::cancel),
        Door::bodiless(Method::GET, &transaction, payer::status::status),
        Door::bodiless(Method::GET, "/healthz", monitoring::healthz),
        Door::bodiless(Method::GET, "/readyz", monitoring::readyz),
    ]
}

fn notification_door() -> Door {
    let (path, rate) = ("/notifications/{token}", Rate::Notifications);
    Door::new(
        Method::POST,
        path,
        JSON_BYTES,
        rate,
        payer::notification::notify,
    )
}

fn monitoring_doors() -> Vec<Door> {
    vec![
        Door::bodiless(Method::GET, "/healthz", monitoring::healthz),
        Door::bodiless(Method::GET, "/readyz", monitoring::readyz),
        Door::bodiless(Method::GET, "/metrics", monitoring::metrics),
    ]
}

/// The method and the address of every route of the server, and the largest body that it reads.
#[doc(hidden)]
pub fn routes() -> Vec<(Method, String, usize)> {
    let below = |doors: Vec<Door>, prefix: &'static str| {
        let doors = doors.into_iter().map(move |door| door.below(prefix));
        doors.collect::<Vec<_>>()
    };
    let all = [
        monitoring_doors(),
        below(payer_doors(), "/api"),
        below(vec![notification_door()], "/api"),
        below(shop::doors(), "/api/shop"),
        below(staff::doors(), "/api/staff"),
        below(pay_page::doors(), "/api/pay"),
    ];
    let doors = all.into_iter().flatten();
    let routes = doors.map(|door| (door.method, door.path, door.limit.body_bytes));
    routes.collect()
}

fn staff_addresses(app: &App) -> Router<App> {
    doors::router(app, staff::doors())
        .layer(cross_site::csrf_of_staff())
        .layer(from_fn(cross_site::own_origin_of_staff))
}

/// Gives the request an id and a trace, logs its result, and forbids to store the answer, unless it is a file of the
/// element.
///
/// The log names the route and not the address, since addresses have operation numbers and the tokens
/// of callbacks. The server makes the id itself: a client could put anything into one that it sends. The
/// layers of `tower-http` keep an id of the client, so that they would need more code than this.
async fn log(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = token().unwrap_or_default();
    // A client may make a method of any length up.
    let method = match request.method().as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "PATCH" | "TRACE"
        | "CONNECT") => known.to_owned(),
        _ => "(other)".to_owned(),
    };
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "(none)".to_owned(), |path| path.as_str().to_owned());
    let trace = caller::trusted_trace(&request, &app.config).or_else(Trace::begin);
    let trace_id = trace.as_ref().map(Trace::id);
    // Of the highest level, so that each line has it, whatever `RUST_LOG` leaves out.
    let span = tracing::error_span!("request", id, trace_id, method, route);
    let start = Instant::now();
    let mut response = trace::within(trace, span.clone(), next.run(request)).await;
    let elapsed_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let status = response.status().as_u16();
    span.in_scope(|| tracing::info!(status, elapsed_ms, "answered"));
    let keeping = response.extensions_mut().remove::<Keeping>();
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let no_store = HeaderValue::from_static("no-store");
    let how = keeping.map_or(no_store, |Keeping(how)| how);
    headers.insert(CACHE_CONTROL, how);
    response
}

/// Rejects an address with the character U+0000. PostgreSQL cannot store it in a text, so that nothing
/// has such a name, and a query with it would be an error of the database.
async fn reject_nul(request: Request, next: Next) -> Response {
    let address = request.uri();
    if address.path().contains("%00") {
        let detail = "No address here has the character U+0000.";
        return Problem::new(ProblemKind::NotFound, detail).into_response();
    }
    if address.query().is_some_and(|query| query.contains("%00")) {
        let detail = "The query has the character U+0000; send it without.";
        return Problem::new(ProblemKind::BadRequest, detail).into_response();
    }
    next.run(request).await
}

/// The operation that an address names.
fn operation_key(
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<OperationKey, Problem> {
    let Path((merchant_code, number)) = path.map_err(|_| Problem::not_found())?;
    Ok(OperationKey::new(merchant_code, number))
}
