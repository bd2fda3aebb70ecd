//! The answers of a server, for tests of what is sent and shown.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::JsValue;

/// From now on the requests are answered with these, in order, and the last one again and again:
/// `[status, body, header and value]`, an empty body for none. Collects the requests, each as
/// `method address body replaces`.
pub(crate) fn server(answers: &str) -> Array {
    let asked = Array::new();
    let fetch = Function::new_with_args(
        "asked, answers",
        "answers = JSON.parse(answers); \
         return async (request, init) => { \
           request = new Request(request, init); \
           const replaces = request.headers.get('checkout-replaces'); \
           const key = request.headers.has('idempotency-key') ? 'keyed' : ''; \
           asked.push([request.method, new URL(request.url).pathname, key, replaces, await request.text()].filter(Boolean).join(' ')); \
           const [status, body, ...header] = answers.length > 1 ? answers.shift() : answers[0]; \
           const type = status < 400 ? 'application/json' : 'application/problem+json'; \
           const headers = { 'content-type': type, ...(header.length ? { [header[0]]: header[1] } : {}) }; \
           return new Response(body ? JSON.stringify(body) : null, { status, headers }); }",
    );
    let fetch = fetch
        .call2(&JsValue::UNDEFINED, &asked, &JsValue::from_str(answers))
        .unwrap();
    Reflect::set(&js_sys::global(), &"fetch".into(), &fetch).unwrap();
    asked
}

/// The page's `fetch`, which is put back at the end of the test: other tests need a server that does not answer.
pub(crate) struct OwnFetch(JsValue);

impl OwnFetch {
    pub(crate) fn kept() -> Self {
        Self(Reflect::get(&js_sys::global(), &"fetch".into()).unwrap())
    }
}

impl Drop for OwnFetch {
    fn drop(&mut self) {
        Reflect::set(&js_sys::global(), &"fetch".into(), &self.0).unwrap();
    }
}

pub(crate) fn requests(asked: &Array) -> Vec<String> {
    asked.iter().filter_map(|entry| entry.as_string()).collect()
}
