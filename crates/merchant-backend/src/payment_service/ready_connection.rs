use super::ServiceError;
use super::body::{Answered, Wire, whole};
use crate::http_client;
use crate::send_window::SendWindow;
use axum::body::Bytes;
use axum::http::header::{ACCEPT, HOST};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Request, Response, Uri};
use http_body_util::Full;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::rt::{Read, Write};
use hyper::service::Service;
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::service::TowerToHyperService;
use rustls::ClientConfig;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::Url;

/// A connection that was idle for longer is not used again: the service or a firewall may have
/// dropped it without closing it.
const MAX_IDLE: Duration = Duration::from_secs(15);

/// Sends requests that move money. Name resolution, connecting and the TLS handshake take an unknown
/// time, so they are done first, and the send window is checked when only the request itself is left
/// to send. `reqwest` cannot do this: when a pooled connection was closed, it opens another one and
/// sends the request then, however late that is.
///
/// The connection is kept for the next request, also when it was ready too late for this one.
pub(super) struct ReadyConnection {
    origin: Uri,
    host: HeaderValue,
    timeout: Duration,
    tls: Arc<ClientConfig>,
    /// `None` for plain HTTP, where a proxy could read the access token.
    proxies: Option<Matcher>,
    kept: Mutex<Option<Kept>>,
}

struct Kept {
    sender: Sender,
    since: Instant,
}

type Sender = SendRequest<Full<Bytes>>;

/// A [`ReadyConnection`] for one request, which may be sent within this window.
pub(super) struct Within<'a> {
    connection: &'a ReadyConnection,
    window: SendWindow,
}

impl ReadyConnection {
    /// # Errors
    /// The system has no root certificates, or the address has no host.
    pub(super) fn new(base: &Url, timeout: Duration) -> Result<Self, String> {
        Self::over(base, timeout, http_client::tls()?, Matcher::from_env())
    }

    fn over(
        base: &Url,
        timeout: Duration,
        mut tls: ClientConfig,
        proxies: Matcher,
    ) -> Result<Self, String> {
        let origin: Uri = base.as_str().parse().map_err(|_| "not an address")?;
        let authority = origin.authority().ok_or("an address without a host")?;
        let host = match base.port() {
            Some(port) => format!("{}:{port}", authority.host()),
            None => authority.host().to_owned(),
        };
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            host: HeaderValue::try_from(host).map_err(|_| "a host that cannot be named")?,
            timeout,
            tls: Arc::new(tls),
            proxies: (base.scheme() == "https").then_some(proxies),
            kept: Mutex::default(),
            origin,
        })
    }

    pub(super) fn within(&self, window: SendWindow) -> Within<'_> {
        Within {
            connection: self,
            window,
        }
    }

    /// Gets a connection that can send a request at once: the kept one, or a new one.
    async fn ready(&self) -> Result<Sender, ServiceError> {
        if let Some(mut sender) = self.take()
            && sender.ready().await.is_ok()
        {
            return Ok(sender);
        }
        let mut sender = self.connect().await?;
        let ready = sender.ready().await;
        ready.map_err(|_| ServiceError::Unreached)?;
        Ok(sender)
    }

    async fn connect(&self) -> Result<Sender, ServiceError> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        let direct = HttpsConnector::from((tcp, Arc::clone(&self.tls)));
        let proxies = self.proxies.as_ref();
        let Some(proxy) = proxies.and_then(|proxies| proxies.intercept(&self.origin)) else {
            return self.shake(TowerToHyperService::new(direct)).await;
        };
        let mut tunnel = Tunnel::new(proxy.uri().clone(), direct);
        if let Some(account) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(account.clone());
        }
        let tunnelled = HttpsConnector::from((tunnel, Arc::clone(&self.tls)));
        self.shake(TowerToHyperService::new(tunnelled)).await
    }

    async fn shake<C>(&self, connector: C) -> Result<Sender, ServiceError>
    where
        C: Service<Uri>,
        C::Response: Read + Write + Send + Unpin + 'static,
    {
        let socket = connector.call(self.origin.clone()).await;
        let socket = socket.map_err(|_| ServiceError::Unreached)?;
        let (sender, connection) = handshake(socket)
            .await
            .map_err(|_| ServiceError::Unreached)?;
        // The task ends with the connection, and its errors reach the sender.
        tokio::spawn(connection);
        Ok(sender)
    }

    fn take(&self) -> Option<Sender> {
        let kept = self
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()?;
        (kept.since.elapsed() < MAX_IDLE).then_some(kept.sender)
    }

    fn keep(&self, sender: Sender) {
        let since = Instant::now();
        let kept = Some(Kept { sender, since });
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }
}

impl Wire for Within<'_> {
    async fn exchange(&self, request: Request<Bytes>) -> Result<Answered, ServiceError> {
        let Self { connection, window } = self;
        let (mut head, body) = request.into_parts();
        let path = head.uri.path_and_query().cloned();
        head.uri = path.unwrap_or(PathAndQuery::from_static("/")).into();
        head.headers.insert(HOST, connection.host.clone());
        head.headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        let request = Request::from_parts(head, Full::new(body));

        let deadline = Instant::now() + connection.timeout;
        let ready = timeout_at(deadline, connection.ready()).await;
        let mut sender = ready.unwrap_or(Err(ServiceError::Unreached))?;
        if !window.is_open() {
            connection.keep(sender);
            return Err(ServiceError::NotSent("it could not leave in its time"));
        }
        let sent = timeout_at(deadline, sender.try_send_request(request)).await;
        let answer = sent
            .map_err(|_| ServiceError::Timeout)?
            .map_err(|mut error| match error.take_message() {
                // The connection returns a request of which it has sent nothing.
                Some(_) => ServiceError::Unreached,
                None => ServiceError::Connection,
            })?;
        let (head, body) = answer.into_parts();
        let body = whole(head.status, body, |_| ServiceError::Connection);
        let body = timeout_at(deadline, body).await;
        let body = body.unwrap_or(Err(ServiceError::Timeout));
        if body.is_ok() {
            connection.keep(sender);
        }
        Ok(Response::from_parts(head, body))
    }
}

#[cfg(test)]
mod tests;
