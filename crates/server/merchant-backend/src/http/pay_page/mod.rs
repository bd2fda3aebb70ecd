//! The server's own page of an order, at `/api/pay/{handle}`: it pays without scripts and without
//! WebAssembly, is a payment link and a receipt.
//!
//! ```text
//! show    draws the page as it is now; a request by GET changes nothing, since previews of chats and scanners of
//!         mail open links
//! acts    forms by POST: begin to pay, cancel the code, come with a signed order
//! state   what the page shows, from the stored order
//! answer  the headers of every page, and its language
//! files   the element's files, which take the place of the page where they run
//! ```
//!
//! The handle in the address is the only right: no cookie counts, so that another site has no right of the
//! payer to borrow. Every form is answered with 303 to the page, and the key of an attempt is in the form: a
//! double click, *Back* and *Reload* make one operation.

mod acts;
mod answer;
mod files;
mod show;
mod state;

use super::app::App;
use super::doors::{self, Door, FORM_BYTES, JSON_BYTES, Rate};
use super::problem::Problem;
use crate::db::DbError;
use crate::orders::PayLinks;
use answer::{PageAnswer, Visitor};
use axum::Router;
use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, Method, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
pub(super) use files::Keeping;
use pay_page::Message;
use payment_rules::order::OrderFacts;

/// What a browser wants a request for, other than to show the answer now.
const SEC_PURPOSE: HeaderName = HeaderName::from_static("sec-purpose");

pub(super) fn router(app: &App) -> Router<App> {
    let files = app.config.pay_page_element.as_deref().map(files::router);
    let pages = doors::router(app, doors())
        .route_layer(from_fn_with_state(app.clone(), limit_rate))
        .route_layer(from_fn(refuse_in_advance))
        // These routes come to the server's router after it gave its own ones this answer.
        .method_not_allowed_fallback(async || Problem::wrong_method());
    match files {
        Some(files) => pages.merge(files),
        None => pages,
    }
}

pub(super) fn doors() -> Vec<Door> {
    let page = Rate::Page;
    vec![
        Door::new(Method::POST, "/", JSON_BYTES, page, acts::with_order),
        Door::new(Method::GET, "/{handle}", 0, page, show::page),
        Door::new(Method::POST, "/{handle}", FORM_BYTES, page, acts::begin),
        Door::new(
            Method::GET,
            "/{handle}/cancel",
            0,
            page,
            show::ask_to_cancel,
        ),
        Door::new(
            Method::POST,
            "/{handle}/cancel",
            FORM_BYTES,
            page,
            acts::cancel,
        ),
        Door::new(Method::GET, "/{handle}/qr.png", 0, page, show::qr),
    ]
}

/// Refuses a browser that loads a page before anybody asks for it (prefetching, prerendering): shown later, the page would
/// have an old state, and until then it would be drawn again and again. The browser asks again when the payer comes.
async fn refuse_in_advance(request: Request, next: Next) -> Response {
    let purpose = request.headers().get(SEC_PURPOSE);
    if purpose.is_some_and(|purpose| purpose.as_bytes().starts_with(b"prefetch")) {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    next.run(request).await
}

/// Limits how often a page is drawn, and how often one address names none. The refusal is a page, too, which is drawn again
/// by itself, so that a payer who waits goes on.
async fn limit_rate(State(app): State<App>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let Ok(visitor) = Visitor::from_request_parts(&mut parts, &app).await;
    let admitted = match Handle::from_request_parts(&mut parts, &app).await {
        Ok(Handle(handle)) => {
            // The handler looks the handle up again after the body came, and says so when that fails.
            let order = app.orders.pay_links().order_id(&handle).await;
            let order = order.ok().flatten();
            app.limits.page(order.as_ref(), visitor.client)
        }
        Err(_) => app.limits.page_form(visitor.client),
    };
    match admitted {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(wait) => {
            let answer = visitor.message(&app, Message::TooOften);
            answer.retry_after(wait).into_response()
        }
    }
}

/// The handle in an address. One that is no text belongs to no page.
struct Handle(String);

impl FromRequestParts<App> for Handle {
    type Rejection = PageAnswer;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, PageAnswer> {
        let Ok(visitor) = Visitor::from_request_parts(parts, app).await;
        let path = Path::from_request_parts(parts, app).await;
        let Path(handle) = path.map_err(|_| visitor.message(app, Message::NotFound))?;
        Ok(Self(handle))
    }
}

/// The order of a page. A wrong handle and a revoked one get the same answer.
async fn order_of(app: &App, visitor: &Visitor, handle: &str) -> Result<OrderFacts, PageAnswer> {
    let links: &PayLinks = app.orders.pay_links();
    let failed = |error: DbError| {
        tracing::error!(%error, "the page of an order cannot be drawn");
        visitor.message(app, Message::TryAgain)
    };
    let order = links.order(handle).await.map_err(failed)?;
    order.ok_or_else(|| visitor.message(app, Message::NotFound))
}
