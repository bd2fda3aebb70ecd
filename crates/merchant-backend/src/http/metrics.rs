use super::Failure;
use super::app::App;
use super::nothing_here;
use crate::clock::now;
use crate::metrics::Gauges;
use axum::extract::{ConnectInfo, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `GET /metrics`, beside `/api`, so that a proxy that passes `/api` on does not publish it. Others in
/// the server's network, such as the containers beside it, find nothing here.
pub(super) async fn metrics(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
) -> Result<Response, Failure> {
    let reader = peer.ip().to_canonical();
    let mut readers = app.config.metrics_from.iter();
    if !readers.any(|network| network.contains(&reader)) {
        return Err(nothing_here().into());
    }
    let codes = app.merchant_codes().await?;
    let unsettled_since = now().saturating_sub(app.config.staff.settlement_due);
    let rows = app.db.row_counts(&codes, unsettled_since).await?;
    let gauges = Gauges {
        held: app.limits.held.count(),
        live: rows.live,
        doubts: rows.doubts,
        oldest_doubt: rows.oldest_doubt,
        exceptions: rows.exceptions.into_iter().collect(),
        events: rows.events,
        events_lag: rows.events_lag,
    };
    let text = app.metrics.text(&gauges).map_err(|_| Failure::Internal)?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text).into_response())
}
