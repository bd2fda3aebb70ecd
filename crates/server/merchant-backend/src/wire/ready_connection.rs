use super::{Answered, BodyLimit, WireError, exchange_in_simulation, whole};
use crate::ambient;
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

/// More connections are not kept.
const MAX_KEPT: usize = 8;

/// Sends requests that move money, and events. Name resolution, connecting and the TLS handshake take an unknown
/// time, so they are done first, and the send window is checked when only the request itself is left
/// to send. `reqwest` cannot do this: when a pooled connection was closed, it opens another one and
/// sends the request then, however late that is.
///
/// Connections are kept for the next requests, also one that was ready too late for its own.
pub(crate) struct ReadyConnection {
    origin: Uri,
    host: HeaderValue,
    timeout: Duration,
    body_limit: BodyLimit,
    tls: Arc<ClientConfig>,
    /// `None` for plain HTTP, where a proxy could read the access token.
    proxies: Option<Matcher>,
    kept: Mutex<Vec<Kept>>,
}

struct Kept {
    sender: Sender,
    since: Instant,
}

type Sender = SendRequest<Full<Bytes>>;

impl ReadyConnection {
    /// # Errors
    /// The system has no root certificates, or the address has no host.
    pub(crate) fn new(
        base: &Url,
        timeout: Duration,
        body_limit: BodyLimit,
    ) -> Result<Self, String> {
        let (tls, proxies) = (http_client::tls()?, Matcher::from_env());
        Self::over(base, timeout, body_limit, tls, proxies)
    }

    fn over(
        base: &Url,
        timeout: Duration,
        body_limit: BodyLimit,
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
            body_limit,
            tls: Arc::new(tls),
            proxies: (base.scheme() == "https").then_some(proxies),
            kept: Mutex::default(),
            origin,
        })
    }

    /// Sends a request unless the window has closed, and reads the answer.
    pub(crate) async fn exchange(
        &self,
        request: Request<Bytes>,
        window: SendWindow,
    ) -> Result<Answered, WireError> {
        if let Some(simulation) = ambient::simulation() {
            let (timeout, limit) = (self.timeout, self.body_limit);
            return exchange_in_simulation(simulation, request, Some(window), timeout, limit).await;
        }
        let (mut head, body) = request.into_parts();
        let path = head.uri.path_and_query().cloned();
        head.uri = path.unwrap_or(PathAndQuery::from_static("/")).into();
        head.headers.insert(HOST, self.host.clone());
        head.headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        let request = Request::from_parts(head, Full::new(body));

        let deadline = Instant::now() + self.timeout;
        let ready = timeout_at(deadline, self.ready()).await;
        let mut sender = ready.unwrap_or(Err(WireError::Unreached))?;
        if !window.is_open() {
            self.keep(sender);
            return Err(WireError::Late);
        }
        let sent = timeout_at(deadline, sender.try_send_request(request)).await;
        let answer = sent.map_err(|_| WireError::Timeout)?.map_err(|mut error| {
            match error.take_message() {
                // The connection returns a request of which it has sent nothing.
                Some(_) => WireError::Unreached,
                None => WireError::Connection,
            }
        })?;
        let (head, body) = answer.into_parts();
        let body = whole(body, (self.body_limit)(head.status), |_| {
            WireError::Connection
        });
        let body = timeout_at(deadline, body).await;
        let body = body.unwrap_or(Err(WireError::Timeout));
        if body.is_ok() {
            self.keep(sender);
        }
        Ok(Response::from_parts(head, body))
    }

    /// Gets a connection that can send a request at once: the kept one, or a new one.
    async fn ready(&self) -> Result<Sender, WireError> {
        if let Some(mut sender) = self.take()
            && sender.ready().await.is_ok()
        {
            return Ok(sender);
        }
        let mut sender = self.connect().await?;
        let ready = sender.ready().await;
        ready.map_err(|_| WireError::Unreached)?;
        Ok(sender)
    }

    async fn connect(&self) -> Result<Sender, WireError> {
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

    async fn shake<C>(&self, connector: C) -> Result<Sender, WireError>
    where
        C: Service<Uri>,
        C::Response: Read + Write + Send + Unpin + 'static,
    {
        let socket = connector.call(self.origin.clone()).await;
        let socket = socket.map_err(|_| WireError::Unreached)?;
        let (sender, connection) = handshake(socket).await.map_err(|_| WireError::Unreached)?;
        // The task ends with the connection, and its errors reach the sender.
        tokio::spawn(connection);
        Ok(sender)
    }

    fn take(&self) -> Option<Sender> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // The last one has been idle for the shortest time.
        let last = kept.pop()?;
        if last.since.elapsed() < MAX_IDLE {
            return Some(last.sender);
        }
        kept.clear();
        None
    }

    fn keep(&self, sender: Sender) {
        let since = Instant::now();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MAX_KEPT {
            kept.push(Kept { sender, since });
        }
    }
}

#[cfg(test)]
mod tests;
