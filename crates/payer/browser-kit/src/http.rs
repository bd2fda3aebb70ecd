//! Requests to the merchant's server: how they are sent, and how an answer is read.

use super::clock;
pub use gloo_net::http::Method;
use gloo_net::http::{Headers, Request, RequestBuilder};
use js_sys::{Promise, Reflect};
use payment_model::{IdempotencyKey, Timestamp};
use std::ops::RangeInclusive;
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, RequestCache, RequestCredentials, RequestRedirect, UrlSearchParams,
};

#[wasm_bindgen]
extern "C" {
    /// The page's `fetch`, which a script of the page may have wrapped: it may throw, and return anything. So it is
    /// not that of gloo-net, which panics on either.
    #[wasm_bindgen(catch)]
    fn fetch(request: &web_sys::Request) -> Result<JsValue, JsValue>;
}

/// A request before it is sent.
#[derive(Debug)]
pub struct HttpRequest {
    method: Method,
    url: String,
    headers: Vec<(&'static str, String)>,
    body: Option<String>,
}

impl HttpRequest {
    /// A request without a body.
    #[must_use]
    pub fn new(method: Method, url: String) -> Self {
        Self {
            method,
            url,
            headers: vec![("Accept", "application/json".to_owned())],
            body: None,
        }
    }

    /// The method, in capitals.
    #[must_use]
    pub fn method(&self) -> &str {
        self.method.as_str()
    }

    /// The address, as it was given.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// With a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// With a body that is JSON already.
    #[must_use]
    pub fn json(mut self, body: String) -> Self {
        self.body = Some(body);
        self.header("Content-Type", "application/json")
    }

    /// With the key by which the server knows that two requests are the same.
    #[must_use]
    pub fn key(self, key: &IdempotencyKey) -> Self {
        // A structured-field string, as the draft standard has it; the key holds no quotes.
        self.header("Idempotency-Key", &format!("\"{}\"", key.as_str()))
    }

    /// Sends it; `None` when no answer came.
    pub async fn send(self, abort: AbortController) -> Option<Response> {
        let request = self.prepared(&abort)?;
        let answer = fetch(&request.into()).ok()?;
        let answer = JsFuture::from(Promise::resolve(&answer)).await.ok()?;
        Response::of(answer)
    }

    /// As the browser sends it; `None` for an address that the browser refuses, and in a page that broke what makes
    /// requests.
    fn prepared(self, abort: &AbortController) -> Option<Request> {
        let headers = web_sys::Headers::new().ok()?;
        for (name, value) in &self.headers {
            headers.set(name, value).ok()?;
        }
        // The builder makes one, too, and panics if that fails.
        UrlSearchParams::new().ok()?;
        // A cache would give an old state, and no other host may get the request.
        let builder = RequestBuilder::new(&self.url)
            .method(self.method)
            .headers(Headers::from_raw(headers))
            .credentials(RequestCredentials::Include)
            .cache(RequestCache::NoStore)
            .redirect(RequestRedirect::Error)
            .abort_signal(Some(&abort.signal()));
        let request = match self.body {
            Some(body) => builder.body(body),
            None => builder.build(),
        };
        request.ok()
    }
}

/// The statuses of HTTP.
const STATUSES: RangeInclusive<f64> = 100.0..=599.0;

/// An answer of the merchant's server. A script of the page may have put an object of its own in place of the browser's, so
/// a member that is missing or throws is read as absent.
#[derive(Debug)]
pub struct Response {
    raw: web_sys::Response,
    status: u16,
}

impl Response {
    /// `None` for what has no status.
    fn of(answer: JsValue) -> Option<Self> {
        let status = member(&answer, "status")?.as_f64()?;
        STATUSES.contains(&status).then(|| Self {
            raw: answer.unchecked_into(),
            status: status as u16,
        })
    }

    /// The status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// True for a status of success.
    #[must_use]
    pub fn ok(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        let headers: web_sys::Headers = member(&self.raw, "headers")?.unchecked_into();
        headers.get(name).ok()?
    }

    /// The body; `None` if it breaks off.
    pub async fn text(&self) -> Option<String> {
        let text = JsValue::from(self.raw.text().ok()?);
        let text = JsFuture::from(Promise::resolve(&text)).await.ok()?;
        text.as_string()
    }
}

impl From<Response> for web_sys::Response {
    fn from(answer: Response) -> Self {
        answer.raw
    }
}

/// The value of a member, whose getter may throw.
fn member(of: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(of, &name.into()).ok()
}

/// The server's clock.
#[must_use]
pub fn date(response: &Response) -> Option<Timestamp> {
    clock::parse_date(&response.header("Date")?)
}

/// How long the server wants no requests, from now on.
#[must_use]
pub fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.header("Retry-After")?;
    parse_retry_after(&text, date(response))
}

/// True when the body explains a refusal by RFC 9457.
#[must_use]
pub fn is_problem(response: &Response) -> bool {
    let kind = response.header("Content-Type");
    kind.is_some_and(|kind| kind.starts_with("application/problem+json"))
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

#[cfg(target_family = "wasm")]
#[cfg(test)]
mod tests {
    use super::{HttpRequest, Method, Response};
    use gloo_net::http::Request;
    use payment_model::IdempotencyKey;
    use wasm_bindgen_test::wasm_bindgen_test;
    use web_sys::{AbortController, Url};

    fn prepared(request: HttpRequest) -> Option<Request> {
        request.prepared(&AbortController::new().unwrap())
    }

    /// The builder takes each address apart, for a query that it could add.
    #[wasm_bindgen_test]
    fn an_address_is_sent_as_it_was_given() {
        let page = web_sys::window().unwrap().location().href().unwrap();
        for address in [
            "",
            "charges",
            "/api/charges",
            "../charges?a=b",
            "/api/charges/100000001/%20/7af1%2Fc6a2/%7Bcode%7D",
            "/api?a=1&a=2&b=%26+%2B%3D'\"<>#fragment?no=query",
            "/api??a=b",
            "/ñ/\u{1f600}?ñ=\u{1f600}",
            "//shop.example:8443/charges",
            "https://shop.example/charges?a",
            "https://ñandú.example/charges/./a/../b",
        ] {
            let expected = Url::new_with_base(address, &page).unwrap().href();
            let request = prepared(HttpRequest::new(Method::GET, address.to_owned()));
            assert_eq!(request.unwrap().url(), expected, "{address}");
        }
    }

    #[wasm_bindgen_test]
    fn an_address_that_the_browser_refuses_is_not_sent() {
        for address in ["http://", "https://[", "https://user:word@shop.example/"] {
            let request = HttpRequest::new(Method::GET, address.to_owned());
            assert!(prepared(request).is_none(), "{address}");
            let request = HttpRequest::new(Method::POST, address.to_owned()).json("{}".to_owned());
            assert!(prepared(request).is_none(), "{address}");
        }
    }

    fn answer(script: &str) -> Option<Response> {
        Response::of(js_sys::eval(script).unwrap())
    }

    #[wasm_bindgen_test]
    async fn an_object_of_the_page_is_an_answer_if_it_has_a_status() {
        for script in [
            "undefined",
            "null",
            "204",
            "'204'",
            "({})",
            "({ get status() { throw 1; } })",
            "({ status: undefined })",
            "({ status: '200' })",
            "({ status: 0 })",
            "({ status: -200 })",
            "({ status: 600 })",
            "({ status: 65736 })",
            "({ status: {} })",
            "new Proxy({}, { get() { throw 1; } })",
        ] {
            assert!(answer(script).is_none(), "{script}");
        }
        for script in [
            "({ status: 200 })",
            "({ status: 200, headers: undefined, text: undefined })",
            "({ status: 200, get headers() { throw 1; }, get text() { throw 1; } })",
            "({ status: 200, headers: {}, text: () => { throw 1; } })",
            "({ status: 200, headers: { get() { throw 1; } }, text: () => Promise.reject(1) })",
            "({ status: 200, headers: { get: () => ({}) }, text: () => ({}) })",
        ] {
            let answer = answer(script).unwrap();
            assert!(answer.ok(), "{script}");
            assert_eq!(answer.header("Date"), None, "{script}");
            assert_eq!(answer.text().await, None, "{script}");
        }
        let script =
            "({ status: 503, headers: { get: (name) => name + '!' }, text: () => 'body' })";
        let answer = answer(script).unwrap();
        assert_eq!((answer.status(), answer.ok()), (503, false));
        assert_eq!(answer.header("Date").as_deref(), Some("Date!"));
        assert_eq!(answer.text().await.as_deref(), Some("body"));
    }

    #[wasm_bindgen_test]
    async fn a_request_has_its_method_its_headers_and_its_body() {
        let key = IdempotencyKey::from_entropy(7);
        let request = HttpRequest::new(Method::POST, "/api/charges".to_owned());
        let request = prepared(request.json("{\"ñ\":1}".to_owned()).key(&key)).unwrap();
        assert_eq!(request.method(), Method::POST);
        for (name, value) in [
            ("Accept", "application/json"),
            ("Content-Type", "application/json"),
            ("Idempotency-Key", &format!("\"{}\"", key.as_str())),
        ] {
            assert_eq!(request.headers().get(name).as_deref(), Some(value));
        }
        assert_eq!(request.text().await.unwrap(), "{\"ñ\":1}");

        let raw: web_sys::Request = request.into();
        assert_eq!(raw.cache(), web_sys::RequestCache::NoStore);
        assert_eq!(raw.redirect(), web_sys::RequestRedirect::Error);
        assert_eq!(raw.credentials(), web_sys::RequestCredentials::Include);
    }
}
