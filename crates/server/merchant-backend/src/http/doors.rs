//! What a request may cost before its handler runs: each route is declared with how large its body may be and what
//! limits its rate. The body is read here, whole and into one piece, after the rate was counted: no handler waits for a
//! body, and a client who sends it in small pieces makes the server keep no more than its bytes.

use super::app::App;
use super::caller::Caller;
use super::limits::Limits;
use super::problem::{Problem, ProblemKind};
use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::handler::Handler;
use axum::http::Method;
use axum::http::header::CONTENT_LENGTH;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use http_body_util::BodyExt;

/// The largest body of JSON, and of a form that brings a signed order.
pub(super) const JSON_BYTES: usize = 64 * 1024;
/// The largest form of the server's own page.
pub(super) const FORM_BYTES: usize = 2 * 1024;

/// What limits the rate of a route before a body is read. Handlers have further limits, by session, key and account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rate {
    /// Nothing: it has no body.
    Unlimited,
    /// The address of the client.
    Client,
    /// The address of a program of the shop, whose key may be wrong.
    Program,
    /// The address of the sender, of which the payment service has few.
    Notifications,
    /// Nothing more than the layer of the pages, which counts before this one, since it answers with a page.
    Page,
}

/// A route with its limits.
#[derive(Debug)]
pub(super) struct Door {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) limit: DoorLimit,
    handler: MethodRouter<App>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DoorLimit {
    /// The largest body; 0 for a route that reads none.
    pub(super) body_bytes: usize,
    pub(super) rate: Rate,
}

impl Door {
    /// A route that reads no body.
    pub(super) fn bodiless<H, T>(method: Method, path: &str, handler: H) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        Self::new(method, path, 0, Rate::Unlimited, handler)
    }

    pub(super) fn new<H, T>(
        method: Method,
        path: &str,
        body_bytes: usize,
        rate: Rate,
        handler: H,
    ) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        let filter = match method {
            Method::POST => MethodFilter::POST,
            Method::DELETE => MethodFilter::DELETE,
            _ => MethodFilter::GET,
        };
        Self {
            method,
            path: path.to_owned(),
            limit: DoorLimit { body_bytes, rate },
            handler: on(filter, handler),
        }
    }

    /// The same route below a prefix.
    pub(super) fn below(self, prefix: &str) -> Self {
        let path = match self.path.as_str() {
            "/" => prefix.to_owned(),
            path => format!("{prefix}{path}"),
        };
        Self { path, ..self }
    }
}

/// A router of these routes.
pub(super) fn router(app: &App, doors: Vec<Door>) -> Router<App> {
    doors.into_iter().fold(Router::new(), |router, door| {
        let limited = from_fn_with_state((app.clone(), door.limit), enter);
        router.route(&door.path, door.handler.route_layer(limited))
    })
}

/// Limits the routes of the merchant's own program like the server's own ones.
pub(super) fn limited(app: &App, routes: Router) -> Router {
    let limit = DoorLimit {
        body_bytes: JSON_BYTES,
        rate: Rate::Client,
    };
    if !routes.has_routes() {
        return routes;
    }
    routes.route_layer(from_fn_with_state((app.clone(), limit), enter))
}

async fn enter(
    State((app, limit)): State<(App, DoorLimit)>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let Ok(Caller(client)) = Caller::from_request_parts(&mut parts, &app).await;
    let limits: &Limits = &app.limits;
    let counted = match limit.rate {
        Rate::Unlimited | Rate::Page => Ok(()),
        Rate::Client if has_body(&parts.method) => limits.request_with_body(client),
        Rate::Client => Ok(()),
        Rate::Program => limits.program(client),
        Rate::Notifications => limits.notification(client),
    };
    if let Err(problem) = counted {
        return problem.into_response();
    }
    if limit.body_bytes == 0 {
        return next.run(Request::from_parts(parts, Body::empty())).await;
    }
    let time = app.config.timing.body_timeout;
    // A notification makes the server ask, whatever it says.
    let may_be_empty = limit.rate == Rate::Notifications;
    match tokio::time::timeout(time, whole(body, limit.body_bytes)).await {
        Ok(Ok(bytes)) => {
            // A later reader must not wait for what did not come.
            parts.headers.insert(CONTENT_LENGTH, bytes.len().into());
            next.run(Request::from_parts(parts, bytes.into())).await
        }
        Ok(Err(_)) | Err(_) if may_be_empty => {
            parts.headers.insert(CONTENT_LENGTH, 0.into());
            next.run(Request::from_parts(parts, Body::empty())).await
        }
        Ok(Err(problem)) => problem.into_response(),
        Err(_) => {
            let detail = "The body did not arrive in time; send it again.";
            Problem::new(ProblemKind::BodyTimeout, detail).into_response()
        }
    }
}

fn has_body(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Reads a body into one piece.
async fn whole(mut body: Body, most_bytes: usize) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame
            .map_err(|_| Problem::new(ProblemKind::BadRequest, "The body did not arrive whole."))?;
        let data = frame.data_ref().map_or(&[][..], |data| data);
        if bytes.len().saturating_add(data.len()) > most_bytes {
            let detail = format!("The body is larger than {} KiB.", most_bytes / 1024);
            return Err(Problem::new(ProblemKind::BodyTooLarge, detail));
        }
        bytes.extend_from_slice(data);
    }
    Ok(bytes)
}
