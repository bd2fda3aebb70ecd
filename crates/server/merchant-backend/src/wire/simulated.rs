//! Requests that a simulation carries instead of the network.

use super::{Answered, BodyLimit, WireError, whole};
use crate::ambient::Simulation;
use crate::send_window::SendWindow;
use axum::body::Bytes;
use axum::http::{Request, Response};
use http_body_util::Full;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Sends a request, whose address is absolute, as the other clients of this module do. Without a window, nothing limits
/// when it leaves.
pub(super) async fn exchange(
    simulation: Arc<dyn Simulation>,
    request: Request<Bytes>,
    window: Option<SendWindow>,
    timeout: Duration,
    body_limit: BodyLimit,
) -> Result<Answered, WireError> {
    let deadline = Instant::now() + timeout;
    let connected = timeout_at(deadline, simulation.connect(&request)).await;
    if !connected.unwrap_or(false) {
        return Err(WireError::Unreached);
    }
    if window.is_some_and(|window| !window.is_open()) {
        return Err(WireError::Late);
    }
    let answer = timeout_at(deadline, simulation.exchange(request)).await;
    let answer = answer.map_err(|_| WireError::Timeout)?;
    let (head, body) = answer.ok_or(WireError::Connection)?.into_parts();
    let failure = |_: &_| WireError::Connection;
    let body = whole(Full::new(body), body_limit(head.status), failure).await;
    Ok(Response::from_parts(head, body))
}
