//! A request that no client library mends.

use crate::answer::Answer;
use anyhow::Result;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http;
use fastrand::Rng;
use reqwest::Client;
use serde_json::Value;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use tower::ServiceExt as _;

/// A request, which may be as wrong as HTTP permits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// With the query.
    pub(crate) path: String,
    /// The headers in their order; a name may come twice.
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
    /// The address that it comes from.
    pub(crate) from: Ipv4Addr,
}

/// An address of the network 10.0.0.0/8, since each client has limits of its own.
pub(crate) fn any_client(random: &mut Rng) -> Ipv4Addr {
    Ipv4Addr::from_bits(0x0a00_0000 | random.u32(..=0x00ff_ffff))
}

impl Request {
    /// A request without headers and body, from the loopback.
    pub(crate) fn new(method: &str, path: &str) -> Self {
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
            from: Ipv4Addr::LOCALHOST,
        }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn with_key(self, key: &str) -> Self {
        self.with("idempotency-key", &format!("\"{key}\""))
    }

    /// The same from a browser with this cookie, if it has one.
    pub(crate) fn with_cookie(self, cookie: &str) -> Self {
        if cookie.is_empty() {
            return self;
        }
        self.with("cookie", cookie)
    }

    pub(crate) fn with_json(self, body: &Value) -> Self {
        self.with_body("application/json", body.to_string())
    }

    /// The form of a page, unless it is empty.
    pub(crate) fn with_form(self, form: &str) -> Self {
        if form.is_empty() {
            return self;
        }
        self.with_body("application/x-www-form-urlencoded", form.to_owned())
    }

    fn with_body(self, kind: &str, body: String) -> Self {
        let mut request = self.with("content-type", kind);
        request.body = body.into_bytes();
        request
    }

    /// The request as the libraries have it.
    pub(crate) fn to_http(&self) -> Result<http::Request<Bytes>, http::Error> {
        let method = self.method.as_str();
        let mut request = http::Request::builder().method(method).uri(&self.path);
        for (name, value) in &self.headers {
            request = request.header(name.as_str(), value.as_slice());
        }
        request.body(Bytes::from(self.body.clone()))
    }

    /// Sends it to a router without a socket.
    pub(crate) async fn send(&self, router: &Router) -> Result<Answer> {
        let mut request = self.to_http()?.map(Body::from);
        let peer = SocketAddr::new(IpAddr::V4(self.from), 4711);
        request.extensions_mut().insert(ConnectInfo(peer));
        Answer::read(router.clone().oneshot(request).await?).await
    }

    /// Sends it to the server at this address, which ends in `/api`.
    pub(crate) async fn send_to(&self, client: &Client, base: &str) -> Result<Answer> {
        let url = format!("{}{}", base.trim_end_matches("/api"), self.path);
        let mut request = client.request(self.method.parse()?, url);
        for (name, value) in &self.headers {
            request = request.header(name, value.as_slice());
        }
        Answer::of(request.body(self.body.clone())).await
    }

    /// Everything that it says, as one text, with the path also without percent-encoding.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.path, decoded(&self.path));
        for (_, value) in &self.headers {
            text.push_str(&String::from_utf8_lossy(value));
            text.push('\n');
        }
        let body = String::from_utf8_lossy(&self.body);
        text.push_str(&body);
        text.push('\n');
        text.push_str(&decoded(&body));
        text
    }
}

/// The text without percent-encoding.
pub(crate) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|hex| str::from_utf8(hex).ok());
        let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (first, byte) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The longest part of a request that a report prints.
const LONGEST_PRINTED_BYTES: usize = 600;

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:.600}", self.method, self.path)?;
        for (name, value) in &self.headers {
            let shown = value.get(..LONGEST_PRINTED_BYTES).unwrap_or(value);
            write!(f, "\n  {name}: {}", shown.escape_ascii())?;
        }
        let shown = self.body.get(..LONGEST_PRINTED_BYTES).unwrap_or(&self.body);
        write!(
            f,
            "\n  body of {} bytes: {}",
            self.body.len(),
            shown.escape_ascii()
        )
    }
}

/// The value of a cookie, without its name.
pub(crate) fn value_of(cookie: &str) -> &str {
    cookie.split_once('=').map_or(cookie, |(_, value)| value)
}
