//! Processes a request: fault, headers, endpoint, journal, answer.

use super::Endpoint;
use super::call::{Answer, Call};
use super::error::ServiceError;
use super::headers;
use crate::Sandbox;
use crate::fault::{Fault, Happening, When, cut, drop_connection, spoil};
use crate::journal::{Answered, Effect, Exchange};
use crate::test_amounts;
use crate::world::World;
use axum::body::{Body, Bytes};
use axum::extract::{RawPathParams, Request};
use axum::http::header::{CONTENT_TYPE, DATE, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{RequestExt, body};
use payment_model::{AuthorizeRequest, Timestamp};
use serde_json::Value;
use std::time::UNIX_EPOCH;
use tokio::time::sleep;

/// Far more than the largest valid request.
const MAX_BODY_BYTES: usize = 1024 * 1024;

/// The end of the year 9999, after which the header `Date` cannot represent an instant.
const LAST_DATE: Timestamp = Timestamp::from_millis(253_402_300_799_999);

/// A received request.
struct Received {
    method: Method,
    /// The percent-encoded path with its query.
    path: String,
    parameters: Vec<String>,
    headers: HeaderMap,
    /// The body; `None` if it was too large or incomplete.
    body: Option<Bytes>,
}

impl Received {
    /// The path without its query.
    fn bare_path(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }
}

/// Processes a request in a separate task, which continues when the client closes the connection: that must not
/// cancel a payment.
pub(super) async fn exchange(sandbox: Sandbox, endpoint: Endpoint, request: Request) -> Response {
    let received = receive(request).await;
    let clock = sandbox.clone();
    let work = tokio::spawn(async move { deal(&sandbox, endpoint, &received).await });
    let mut response = work
        .await
        .unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response());
    date(&mut response, clock.now());
    response
}

/// Sets `Date` to the sandbox's time, so that a client that compares deadlines with it sees the offset that tests
/// have set.
fn date(response: &mut Response, now: Timestamp) {
    let since = now.min(LAST_DATE).duration_since(Timestamp::default());
    let text = httpdate::fmt_http_date(UNIX_EPOCH + since);
    if let Ok(value) = HeaderValue::from_str(&text) {
        response.headers_mut().insert(DATE, value);
    }
}

async fn receive(mut request: Request) -> Received {
    let parameters = request
        .extract_parts::<RawPathParams>()
        .await
        .map(|parts| parts.iter().map(|(_, value)| value.to_owned()).collect())
        .unwrap_or_default();
    let (parts, body) = request.into_parts();
    Received {
        path: parts
            .uri
            .path_and_query()
            .map_or_else(String::new, ToString::to_string),
        method: parts.method,
        parameters,
        headers: parts.headers,
        body: body::to_bytes(body, MAX_BODY_BYTES).await.ok(),
    }
}

async fn deal(sandbox: &Sandbox, endpoint: Endpoint, received: &Received) -> Response {
    let fault = fault_of(&mut sandbox.world(), received);
    if let Some(fault) = fault.as_ref().filter(|fault| fault.when == When::Before) {
        sleep(fault.wait).await;
    }
    let response = answer(sandbox, endpoint, received, fault.as_ref());
    if let Some(fault) = fault.filter(|fault| fault.when == When::After) {
        sleep(fault.wait).await;
    }
    response
}

/// The fault that a test asked for, or else the one that the amount of a new operation decides.
fn fault_of(world: &mut World, received: &Received) -> Option<Fault> {
    let (method, path) = (&received.method, received.bare_path());
    let asked_for = world.faults.take_for_request(method.as_str(), path);
    if asked_for.is_some() || !world.settings.test_amounts {
        return asked_for;
    }
    let body = received
        .body
        .as_deref()
        .filter(|_| *method == Method::POST && path == "/charges")?;
    let request: AuthorizeRequest = serde_json::from_slice(body).ok()?;
    let outcome = test_amounts::outcome(&request.payment_details.amount);
    if outcome.loses_answer {
        return world.loses_answer(request).then(Fault::lost_answer);
    }
    outcome.fault
}

/// Runs the endpoint, unless a fault prevents it, and writes the journal under the same lock, so that the
/// journal has the sequence of the changes.
fn answer(
    sandbox: &Sandbox,
    endpoint: Endpoint,
    received: &Received,
    fault: Option<&Fault>,
) -> Response {
    let replaces =
        |fault: &&Fault| fault.when == When::Before && fault.happening != Happening::Delay;
    let now = sandbox.now();
    let mut world = sandbox.world();
    let mut call = Call {
        world: &mut world,
        now,
        sandbox,
        qr_mistake: fault.and_then(|fault| fault.happening.qr_mistake()),
        body: received.body.as_deref().unwrap_or_default(),
        path: &received.parameters,
        effect: Effect::default(),
    };
    call.note_request();
    let result = if fault.filter(replaces).is_some() {
        Err(ServiceError::Internal("a fault came before".to_owned()))
    } else {
        headers::check(
            &received.headers,
            &received.method,
            received.bare_path(),
            &call.world.settings,
        )
        .and_then(|()| {
            received
                .body
                .as_ref()
                .map(|_| ())
                .ok_or(ServiceError::TooLarge)
        })
        .and_then(|()| endpoint(&mut call))
    };
    let effect = std::mem::take(&mut call.effect);
    if let Err(ServiceError::Internal(reason)) = &result {
        tracing::debug!(reason, "a request was not dealt with");
    }
    let (status, body) = match result {
        Ok(Answer { status, body }) => (status, body),
        Err(error) => (error.status(), error.body()),
    };
    let plan = Plan::new(status, fault);
    tracing::info!(
        method = %received.method,
        path = ?received.path,
        status = plan.status,
        fault = plan.fault,
        accepted = effect.accepted,
        "request"
    );
    let exchange = Exchange {
        method: received.method.to_string(),
        path: received.path.clone(),
        sent: false,
        answered: plan.answered,
        fault: plan.fault,
        status: plan.status,
    };
    world
        .journal
        .write(exchange, effect, sandbox.clock().unmoved());
    drop(world);
    respond(status, body, fault)
}

/// How a request will be answered, for the journal.
struct Plan {
    answered: Answered,
    fault: Option<&'static str>,
    status: Option<u16>,
}

impl Plan {
    fn new(status: StatusCode, fault: Option<&Fault>) -> Self {
        let happening = fault.map(|fault| &fault.happening);
        let answered = match happening {
            Some(Happening::Drop) => Answered::Dropped,
            Some(Happening::Cut { .. }) => Answered::Cut,
            _ if fault.is_some_and(|fault| !fault.wait.is_zero()) => Answered::Delayed,
            _ => Answered::Full,
        };
        let status = match happening {
            Some(Happening::Drop) => None,
            Some(Happening::Status { status, .. }) => Some(*status),
            Some(Happening::Malformed { .. }) => Some(200),
            _ => Some(status.as_u16()),
        };
        Self {
            answered,
            fault: happening.map(Happening::name),
            status,
        }
    }
}

/// Creates the HTTP response, with the effect of the fault.
fn respond(status: StatusCode, mut body: Value, fault: Option<&Fault>) -> Response {
    let Some(Fault { happening, .. }) = fault else {
        return json(status, body.to_string());
    };
    match happening {
        Happening::Drop => drop_connection(),
        Happening::Cut { bytes } => {
            let whole = Bytes::from(body.to_string());
            cut(json(status, Body::empty()), &whole, *bytes)
        }
        Happening::Status {
            status,
            retry_after,
            location,
        } => refusal(*status, *retry_after, location.as_deref()),
        Happening::Malformed { html: true } => {
            let page = "<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>";
            ([(CONTENT_TYPE, "text/html")], page).into_response()
        }
        Happening::Malformed { html: false } => {
            let text = body.to_string();
            let half = text
                .chars()
                .take(text.chars().count() / 2)
                .collect::<String>();
            json(StatusCode::OK, half)
        }
        _ => {
            spoil(happening, &mut body);
            json(status, body.to_string())
        }
    }
}

fn refusal(status: u16, retry_after: Option<u32>, location: Option<&str>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let body = ServiceError::Internal(String::new()).body();
    let mut response = json(status, body.to_string());
    if let Some(seconds) = retry_after {
        response
            .headers_mut()
            .insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Some(Ok(location)) = location.map(HeaderValue::from_str) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], body.into()).into_response()
}
