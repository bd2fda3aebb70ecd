//! Requests of the server to the payment service, to the shop and to receivers of events.

mod ready_connection;

pub(crate) use ready_connection::ReadyConnection;

use crate::ambient::{self, Simulation};
use crate::http_client;
use crate::send_window::SendWindow;
use axum::body::Bytes;
use axum::http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Body;
use reqwest::Client;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::Url;

/// A request without an answer. The texts of libraries are dropped, since they contain the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WireError {
    /// Nothing was sent, since the send window had closed before a connection was ready.
    #[error("not sent: it could not leave in its time")]
    Late,
    /// Nothing was sent, since the address cannot be asked.
    #[error("not sent: the address cannot be asked")]
    Unaddressed,
    /// No connection could be made, so nothing was sent.
    #[error("not sent: no connection")]
    Unreached,
    #[error("no answer in time")]
    Timeout,
    /// The connection was reset or closed before the whole answer.
    #[error("the connection was cut")]
    Connection,
    /// The body is larger than the caller reads.
    #[error("the answer is too large")]
    TooLarge,
}

/// The head of an answer with its body, or with the error of reading the body: the status counts
/// even then.
pub(crate) type Answered = Response<Result<Bytes, WireError>>;

/// The largest body that the caller reads of an answer with this status; a body of which it reads
/// nothing stays empty.
pub(crate) type BodyLimit = fn(StatusCode) -> usize;

/// Sends requests that may be repeated to one address of the settings, and follows no redirect. A request that a closed
/// connection did not take is sent again. What moves money, or must not arrive late, leaves on a [`ReadyConnection`].
pub(crate) struct RepeatableClient {
    client: Client,
    timeout: Duration,
    body_limit: BodyLimit,
}

impl RepeatableClient {
    /// # Errors
    /// The client cannot be built, for example because the system has no root certificates.
    pub(crate) fn new(url: &Url, timeout: Duration, body_limit: BodyLimit) -> Result<Self, String> {
        let client = http_client::client(url, timeout)?;
        Ok(Self {
            client,
            timeout,
            body_limit,
        })
    }

    /// Sends a request, whose address must be absolute, and reads the answer.
    pub(crate) async fn exchange(&self, request: Request<Bytes>) -> Result<Answered, WireError> {
        if let Some(simulation) = ambient::simulation() {
            let (timeout, limit) = (self.timeout, self.body_limit);
            return exchange_in_simulation(simulation, request, None, timeout, limit).await;
        }
        let request = request.try_into().map_err(|_| WireError::Unaddressed)?;
        let answer = self.client.execute(request).await;
        let answer = answer.map_err(|error| failure(&error))?;
        let (head, body) = Response::from(answer).into_parts();
        let body = whole(body, (self.body_limit)(head.status), failure).await;
        Ok(Response::from_parts(head, body))
    }
}

/// Sends a request, whose address is absolute, by a simulation in place of the network, as the clients of this module do.
/// Without a window, nothing limits when it leaves.
async fn exchange_in_simulation(
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

fn failure(error: &reqwest::Error) -> WireError {
    if error.is_connect() {
        WireError::Unreached
    } else if error.is_timeout() {
        WireError::Timeout
    } else {
        WireError::Connection
    }
}

/// Reads a body of limited size.
async fn whole<B>(
    body: B,
    max_bytes: usize,
    failure: impl Fn(&B::Error) -> WireError,
) -> Result<Bytes, WireError>
where
    B: Body<Data = Bytes>,
    B::Error: std::error::Error + Send + Sync + 'static,
{
    if max_bytes == 0 {
        return Ok(Bytes::new());
    }
    match Limited::new(body, max_bytes).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(WireError::TooLarge),
        Err(error) => Err(error
            .downcast_ref::<B::Error>()
            .map_or(WireError::Connection, failure)),
    }
}
