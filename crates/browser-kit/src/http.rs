//! Requests to the merchant's server: how they are sent, and how an answer is read.

use super::clock;
use gloo_net::http::{Headers, Request};
pub use gloo_net::http::{Method, Response};
use js_sys::JsString;
use payment_model::{IdempotencyKey, Timestamp};
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, RequestCache, RequestCredentials, RequestInit, RequestRedirect};

/// A request before it is sent.
#[derive(Debug)]
pub struct HttpRequest {
    url: String,
    method: Method,
    headers: Vec<(&'static str, String)>,
    body: Option<String>,
}

impl HttpRequest {
    /// Its method, in capitals.
    #[must_use]
    pub fn method(&self) -> &str {
        self.method.as_str()
    }

    /// The address that it asks.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A request without a body.
    #[must_use]
    pub fn new(method: Method, url: String) -> Self {
        Self {
            url,
            method,
            headers: Vec::new(),
            body: None,
        }
    }

    /// With a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    /// With a body that is JSON already.
    #[must_use]
    pub fn json(mut self, body: String) -> Self {
        self.body = Some(body);
        self.header("Content-Type", "application/json".to_owned())
    }

    /// With the key by which the server knows that two requests are the same.
    #[must_use]
    pub fn key(self, key: &IdempotencyKey) -> Self {
        // A structured-field string, as the draft standard has it; the key holds no quotes.
        self.header("Idempotency-Key", ["\"", key.as_str(), "\""].concat())
    }

    /// Sends it; `None` when no answer came.
    pub async fn send(self, abort: AbortController) -> Option<Response> {
        self.prepared(&abort)?.send().await.ok()
    }

    /// As the browser wants it, not sent yet; `None` for what the browser does not take.
    fn prepared(self, abort: &AbortController) -> Option<Request> {
        let headers = Headers::new();
        headers.append("Accept", "application/json");
        for (name, value) in &self.headers {
            headers.append(name, value);
        }
        // Not by the builder, which takes each address apart for a query that it adds.
        let init = RequestInit::new();
        init.set_method(self.method());
        init.set_signal(Some(&abort.signal()));
        init.set_credentials(RequestCredentials::Include);
        // A cache would give an old state, and no other host may get the request.
        init.set_cache(RequestCache::NoStore);
        init.set_redirect(RequestRedirect::Error);
        init.set_headers(&headers.into_raw());
        if let Some(body) = self.body {
            init.set_body(&body.into());
        }
        let request = web_sys::Request::new_with_str_and_init(&self.url, &init).ok()?;
        Some(request.into())
    }
}

/// The server's clock.
#[must_use]
pub fn date(response: &Response) -> Option<Timestamp> {
    clock::parse_date(&response.headers().get("Date")?)
}

/// How long the server wants to be left alone from now on.
#[must_use]
pub fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.headers().get("Retry-After")?;
    parse_retry_after(&text, date(response))
}

/// True when the body explains a refusal by RFC 9457.
#[must_use]
pub fn is_problem(response: &Response) -> bool {
    let kind = response.headers().get("Content-Type");
    kind.is_some_and(|kind| kind.starts_with("application/problem+json"))
}

/// The body as a text of the browser's, for an answer that a developer may have to read too; `None` if it broke off.
pub async fn read_text(response: Response) -> Option<JsString> {
    let response: web_sys::Response = response.into();
    let text = JsFuture::from(response.text().ok()?).await.ok()?;
    Some(text.unchecked_into())
}

/// The body as the browser's own parser reads it.
pub async fn read_json(response: Response) -> Option<JsValue> {
    let response: web_sys::Response = response.into();
    JsFuture::from(response.json().ok()?).await.ok()
}

/// More seconds than these are no time to wait for, about 136 years.
const LONGEST_REST: u64 = u32::MAX as u64;

/// `Retry-After`, in seconds or as a date, as the time from now.
fn parse_retry_after(text: &str, date: Option<Timestamp>) -> Option<Duration> {
    let seconds = text
        .trim()
        .parse()
        .ok()
        .filter(|seconds| *seconds <= LONGEST_REST)
        .map(Duration::from_secs);
    seconds.or_else(|| {
        // Both dates are the server's, so this browser's clock does not matter.
        let from = date.unwrap_or_else(clock::wall);
        clock::parse_date(text).map(|until| until.duration_since(from))
    })
}
