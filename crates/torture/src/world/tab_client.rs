//! The requests of a payer's tab, and the answers as the checkout reads them in a browser.

use super::settings::PUBLIC_URL;
use super::shop::ORDER_KEY;
use axum::body::Bytes;
use axum::http::header::{
    ACCEPT, AGE, CONTENT_TYPE, COOKIE, ETAG, HOST, HeaderName, IF_NONE_MATCH, ORIGIN, RETRY_AFTER,
};
use axum::http::{HeaderValue, Method, Request, Response, StatusCode};
use checkout_flow::{
    Answer, Answered, CancelledBy, Failure, IdempotencyKey, OperationRef, Problem,
};
use payment_model::{
    LocalizedMessage, MerchantOperationNumber, Meta, PaymentMethodName, ProblemMoney, Status,
    Timestamp,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;

fn request(method: &Method, path: &str, body: Option<&Value>) -> Request<Bytes> {
    let origin = PUBLIC_URL.trim_end_matches("/api");
    let host = origin.trim_start_matches("http://");
    let mut request = Request::builder()
        .method(method)
        .uri(format!("/api{path}"))
        .header(HOST, host)
        .header(ACCEPT, "application/json")
        .header("sec-fetch-site", "same-origin");
    if *method != Method::GET {
        request = request.header(ORIGIN, origin);
    }
    let request = match body {
        Some(body) => request
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string().into()),
        None => request.body(Bytes::new()),
    };
    request.unwrap_or_default()
}

fn with(mut request: Request<Bytes>, name: HeaderName, value: &str) -> Request<Bytes> {
    if let Ok(value) = value.parse::<HeaderValue>() {
        request.headers_mut().insert(name, value);
    }
    request
}

pub(super) fn with_cookie(request: Request<Bytes>, cookie: &str) -> Request<Bytes> {
    if cookie.is_empty() {
        return request;
    }
    with(request, COOKIE, cookie)
}

/// The page's own fields of each request that names the order.
fn fields(order: &str) -> Value {
    json!({"order_id": order, "order_key": ORDER_KEY})
}

/// The request to authorize. It may end the live operation of this number.
pub(super) fn authorize(
    order: &str,
    key: &IdempotencyKey,
    method: &PaymentMethodName,
    replaces: Option<&MerchantOperationNumber>,
    redirect_url: Option<&str>,
) -> Request<Bytes> {
    let details = match redirect_url {
        Some(url) => json!({"redirect_url": url}),
        None => json!({}),
    };
    let mut body = fields(order);
    body["payment_method"] = json!({"method_name": method.as_str(), "method_details": details});
    let request = request(&Method::POST, "/charges", Some(&body));
    let key = format!("\"{}\"", key.as_str());
    let request = with(request, HeaderName::from_static("idempotency-key"), &key);
    let Some(number) = replaces else {
        return request;
    };
    let number = format!("\"{}\"", number.as_str());
    with(
        request,
        HeaderName::from_static("checkout-replaces"),
        &number,
    )
}

/// The question which operation of the order its payer should see.
pub(super) fn live(order: &str) -> Request<Bytes> {
    request(&Method::POST, "/charges/live", Some(&fields(order)))
}

/// The question about the state of an operation.
pub(super) fn status(
    operation: &OperationRef,
    wait: Option<Duration>,
    known: Option<&str>,
) -> Request<Bytes> {
    let id = operation.transaction_id.as_ref();
    let id = id.map_or("-", |id| id.as_str());
    let mut request = request(&Method::GET, &format!("{}/{id}", path(operation)), None);
    if let Some(wait) = wait {
        let wait = format!("wait={}", wait.as_secs());
        request = with(request, HeaderName::from_static("prefer"), &wait);
    }
    match known {
        Some(known) => with(request, IF_NONE_MATCH, known),
        None => request,
    }
}

/// The request to cancel.
pub(super) fn cancel(operation: &OperationRef) -> Request<Bytes> {
    request(&Method::DELETE, &path(operation), None)
}

fn path(operation: &OperationRef) -> String {
    let code = operation.merchant_code.as_str();
    let number = operation.merchant_operation_number.as_str();
    format!("/charges/{code}/{number}")
}

/// An answer of the server.
pub(super) struct Heard {
    pub(super) response: Response<Bytes>,
    /// The method of the request.
    pub(super) method: Method,
    /// The server's clock, which its connection would have written into the answer.
    pub(super) date: Timestamp,
}

impl Heard {
    /// The answer with its body as one of the contract's types.
    pub(super) fn content<T: DeserializeOwned>(self) -> Answered<T> {
        let response = &self.response;
        let unchanged = response.status() == StatusCode::NOT_MODIFIED;
        if !response.status().is_success() && !unchanged {
            return Err(Failure::Status {
                status: response.status().as_u16(),
                retry_after: said(response, RETRY_AFTER)
                    .and_then(|seconds| seconds.trim().parse().ok())
                    .map(Duration::from_secs),
                money: money(response),
                problem: problem(response),
            });
        }
        let applied = said(response, HeaderName::from_static("preference-applied"));
        let held = applied.is_some_and(|applied| {
            let mut words = applied.split(|c: char| !c.is_ascii_alphanumeric());
            words.any(|word| word == "wait")
        });
        let age = said(response, AGE).and_then(|age| age.trim().parse().ok());
        let nothing = response.status() == StatusCode::NO_CONTENT && self.method == Method::POST;
        let body = if unchanged || nothing {
            b"null".as_slice()
        } else {
            response.body()
        };
        Ok(Answer {
            body: serde_json::from_slice(body).map_err(|_| Failure::Unreadable)?,
            date: Some(self.date),
            id: None,
            held,
            tag: said(response, ETAG).map(str::to_owned),
            age: age.filter(|seconds| *seconds > 0).map(Duration::from_secs),
            order_open: said(response, HeaderName::from_static("order-state")) == Some("open"),
            cancelled_by: said(response, HeaderName::from_static("operation-end"))
                .and_then(cancelled_by),
        })
    }
}

/// What the answer says of the payer's money.
fn money(response: &Response<Bytes>) -> ProblemMoney {
    let body: Option<Value> = serde_json::from_slice(response.body()).ok();
    let word = body.as_ref().and_then(|body| body["money"].as_str());
    ProblemMoney::from_word(word)
}

fn said(response: &Response<Bytes>, name: HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok()
}

fn cancelled_by(said: &str) -> Option<CancelledBy> {
    match said {
        "replaced" => Some(CancelledBy::Replacement),
        "payer" => Some(CancelledBy::Payer),
        "staff" => Some(CancelledBy::Staff),
        _ => None,
    }
}

/// The additional fields of a refusal of the payment service.
#[derive(Deserialize)]
struct Refusal {
    messages: Vec<LocalizedMessage>,
}

fn problem(response: &Response<Bytes>) -> Option<Problem> {
    if !said(response, CONTENT_TYPE)?.starts_with("application/problem+json") {
        return None;
    }
    let document: Value = serde_json::from_slice(response.body()).ok()?;
    if let Ok(Refusal { messages }) = Refusal::deserialize(&document)
        && !messages.is_empty()
    {
        let status = Status {
            code: String::new(),
            message_ilgn: messages,
        };
        return Some(Problem::Refused(Meta { status }));
    }
    let operation = OperationRef::deserialize(&document).ok()?;
    let kind = document["type"].as_str()?;
    match kind.rsplit([':', '/']).next()? {
        "order-paid" => Some(Problem::OrderPaid(operation)),
        "payment-reversed" => Some(Problem::PaymentReversed(operation)),
        "operation-unconfirmed" => Some(Problem::Unconfirmed(operation)),
        "operation-live" => {
            let method = PaymentMethodName::deserialize(&document["method_name"]).ok()?;
            Some(Problem::OperationLive(operation, method))
        }
        _ => None,
    }
}
