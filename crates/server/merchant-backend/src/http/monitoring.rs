//! Addresses for the operator of the server: whether the process answers, whether it can work, and its
//! metrics.

use super::app::App;
use super::caller::FORWARDED_FOR;
use super::problem::{Failure, Problem, ProblemKind};
use crate::metrics::{Attempt, Gauges};
use crate::payments::Authorization;
use axum::extract::{ConnectInfo, State};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, FORWARDED, HOST};
use axum::response::{IntoResponse, Response};
use payment_model::names_this_machine;
use std::net::SocketAddr;
use std::time::Duration;

/// `GET /healthz`: the process answers.
pub(super) async fn healthz() -> &'static str {
    "up\n"
}

/// `GET /readyz`: the database takes writes too.
pub(super) async fn readyz(State(app): State<App>) -> Result<&'static str, Failure> {
    if app.tasks.is_stopping() {
        let problem = Problem::new(ProblemKind::NotReady, "The server is stopping.");
        return Err(problem.retry_after(Duration::from_secs(10)).into());
    }
    let probed = {
        let app = app.clone();
        async move { app.readiness.of(&app.db).await }
    };
    // A probe that ended with its request would make the next request begin a new one.
    if app.tasks.finish(probed).await == Some(true) {
        return Ok("ready\n");
    }
    let problem = Problem::new(ProblemKind::NotReady, "The database takes no writes.");
    Err(problem.retry_after(Duration::from_secs(5)).into())
}

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `GET /metrics`. The address is outside of `/api`, so that a proxy that forwards `/api` does not publish
/// it. Clients outside of the networks in the settings, such as other containers, and those that come through
/// a proxy, get the same answer as for an unknown address.
pub(super) async fn metrics(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let reader = peer.ip().to_canonical();
    let mut readers = app.config.metrics_from.iter();
    let is_forwarded = headers.contains_key(FORWARDED_FOR) || headers.contains_key(FORWARDED);
    // A site whose name leads to this machine is read by a browser here, and sends that name.
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let is_of_a_site = reader.is_loopback() && !host.is_none_or(names_this_machine);
    if is_forwarded || is_of_a_site || !readers.any(|network| network.contains(&reader)) {
        return Err(Problem::nothing_here().into());
    }
    let codes = app.merchant_codes().await?;
    let rows = app.db.row_counts(&codes, app.unsettled_since()).await?;
    // The settings do not name this receiver any more, so its waiting events are not counted.
    let waiting = app.config.events.receivers.iter().map(|receiver| {
        let waiting = rows.waiting.get(&receiver.name).copied();
        let waiting = waiting.unwrap_or_default();
        (receiver.name.clone(), waiting.count, waiting.lag)
    });
    let waiting = waiting.collect();
    let gauges = Gauges {
        held: app.limits.held.count(),
        desks: app.limits.desks.count(),
        live: rows.live,
        doubts: rows.doubts,
        oldest_doubt: rows.oldest_doubt,
        exceptions: rows.exceptions.into_iter().collect(),
        waiting,
    };
    let text = app.metrics.text(&gauges).map_err(|_| Failure::Internal)?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text).into_response())
}

/// How an attempt to pay counts in the metrics.
pub(super) fn counted(outcome: &Authorization) -> Attempt {
    match outcome {
        Authorization::Operation(_) => Attempt::Operation,
        Authorization::Refused(_) => Attempt::Refused,
        Authorization::NotOffered(_) => Attempt::TurnedAway,
        Authorization::Retryable(_) => Attempt::Undecided,
    }
}
