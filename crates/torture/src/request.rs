//! A request that no client library mends, which reaches the server without a socket.

use crate::answer::Answer;
use anyhow::Result;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http;
use serde_json::Value;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use tower::ServiceExt as _;

/// More of an answer is not read.
const LONGEST_ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// A request, which may be as wrong as HTTP permits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// The method.
    pub(crate) method: String,
    /// The path and the query.
    pub(crate) path: String,
    /// The headers in their order; a name may come twice.
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub(crate) body: Vec<u8>,
    /// The address that it comes from.
    pub(crate) from: Ipv4Addr,
}

impl Request {
    /// A request without headers and body.
    #[must_use]
    pub(crate) fn new(method: &str, path: &str) -> Self {
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
            from: Ipv4Addr::LOCALHOST,
        }
    }

    /// Adds a header.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Sets a body of JSON.
    #[must_use]
    pub(crate) fn with_json(self, body: &Value) -> Self {
        let mut request = self.with("content-type", "application/json");
        request.body = body.to_string().into_bytes();
        request
    }

    /// The request for a router.
    ///
    /// # Errors
    /// HTTP has no such request.
    pub(crate) fn to_http(&self) -> Result<http::Request<Body>, http::Error> {
        let mut request = http::Request::builder()
            .method(self.method.as_str())
            .uri(self.path.as_str());
        for (name, value) in &self.headers {
            request = request.header(name.as_str(), value.as_slice());
        }
        let peer = SocketAddr::new(IpAddr::V4(self.from), 4711);
        request
            .extension(ConnectInfo(peer))
            .body(Body::from(self.body.clone()))
    }

    /// Sends it to a router.
    ///
    /// # Errors
    /// HTTP has no such request, or the answer breaks off.
    pub(crate) async fn send(&self, router: &Router) -> Result<Answer> {
        let answer = router.clone().oneshot(self.to_http()?).await?;
        let (head, body) = answer.into_parts();
        let body = to_bytes(body, LONGEST_ANSWER_BYTES).await?;
        Ok(Answer {
            status: head.status.as_u16(),
            headers: head.headers,
            text: String::from_utf8_lossy(&body).into_owned(),
        })
    }

    /// Everything that it says, as one text, with the path also without percent-encoding.
    #[must_use]
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
#[must_use]
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

#[cfg(test)]
mod tests {
    use super::{Request, decoded};

    #[test]
    fn percent_encoding_is_undone_where_it_is_one() {
        assert_eq!(decoded("/a%2fb%"), "/a/b%");
        assert_eq!(decoded("%zz%41"), "%zzA");
    }

    #[test]
    fn the_text_of_a_request_has_each_of_its_parts() {
        let request = Request::new("GET", "/a%41").with("cookie", "c=secret");
        let text = request.text();
        assert!(text.contains("/aA") && text.contains("secret"));
        assert!(request.to_http().is_ok());
        assert!(
            Request::new("GET", "no path with blanks")
                .to_http()
                .is_err()
        );
    }
}
