//! The payer's requests to the merchant's server, and its answers.

use browser_kit::http::{self, HttpRequest, Method, Response};
use browser_kit::json;
use checkout_flow::{Answer, Answered, Failure, IdempotencyKey, OperationRef, Problem};
use js_sys::JsString;
use payment_model::{LocalizedMessage, Meta, Status, digits, filled_url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::time::Duration;
use wasm_bindgen::JsValue;
use web_sys::AbortController;

/// The addresses of the merchant's server. Names in braces stand for the numbers of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Addresses {
    authorize: String,
    status: String,
    cancel: String,
}

impl Addresses {
    /// The contract's paths under `base`, but for the addresses that are given by themselves.
    pub(crate) fn under(
        base: &str,
        authorize: Option<&str>,
        status: Option<&str>,
        cancel: Option<&str>,
    ) -> Self {
        let under_base = |path: &str| [base.trim_end_matches('/'), path].concat();
        let or =
            |own: Option<&str>, path: &str| own.map_or_else(|| under_base(path), str::to_owned);
        Self {
            authorize: or(authorize, "/charges"),
            status: or(
                status,
                "/charges/{merchant_code}/{merchant_operation_number}/{transaction_id}",
            ),
            cancel: or(
                cancel,
                "/charges/{merchant_code}/{merchant_operation_number}",
            ),
        }
    }
}

/// The request to authorize, with a body that is JSON already.
pub(crate) fn authorize(addresses: &Addresses, key: &IdempotencyKey, body: String) -> HttpRequest {
    let request = HttpRequest::new(Method::POST, addresses.authorize.clone());
    request.json(body).key(key)
}

/// The question about an operation's state, held by the server for up to `wait`
/// if it can, and answered without a body if the `known` answer still holds.
pub(crate) fn status(
    addresses: &Addresses,
    operation: &OperationRef,
    wait: Option<Duration>,
    known: Option<String>,
    token: Option<&str>,
) -> HttpRequest {
    let mut request = HttpRequest::new(Method::GET, fill(&addresses.status, operation));
    if let Some(wait) = wait {
        request = request.header("Prefer", ["wait=", &digits(wait.as_secs())].concat());
    }
    if let Some(known) = known {
        request = request.header("If-None-Match", known);
    }
    if let Some(token) = token {
        request = request.header("Checkout-Token", token.to_owned());
    }
    request
}

/// The request to cancel.
pub(crate) fn cancel(addresses: &Addresses, operation: &OperationRef) -> HttpRequest {
    HttpRequest::new(Method::DELETE, fill(&addresses.cancel, operation))
}

/// Sends a request and takes the answer, whose body [`content`] reads. The second value is for
/// whoever has to explain it.
pub(crate) async fn send(
    request: HttpRequest,
    abort: AbortController,
) -> (Answered<JsValue>, Heard) {
    let Some(response) = request.send(abort).await else {
        return (Err(Failure::Network), Heard::default());
    };
    let response = web_sys::Response::from(response);
    let mut heard = Heard {
        response: Some(Clone::clone(&response)),
        ..Heard::default()
    };
    let answer = read(response.into(), &mut heard).await;
    (answer, heard)
}

/// The answer with its body read. Only this part of an answer differs between the requests, so only
/// this is compiled for each.
pub(crate) fn content<T: DeserializeOwned>(answer: Answered<JsValue>) -> Answered<T> {
    let answer = answer?;
    Ok(Answer {
        body: Box::new(json::read(*answer.body).ok_or(Failure::Unreadable)?),
        date: answer.date,
        held: answer.held,
        tag: answer.tag,
        age: answer.age,
    })
}

/// An answer as it came.
#[derive(Default)]
pub(crate) struct Heard {
    /// `None` if no answer came.
    pub(crate) response: Option<web_sys::Response>,
    /// Its body, if it had to be read.
    pub(crate) body: Option<JsString>,
    /// The `type` of the problem in it.
    pub(crate) problem: Option<String>,
}

impl Heard {
    async fn read(&mut self, response: Response) -> Option<JsValue> {
        self.body = http::read_text(response).await;
        json::parse(self.body.as_ref()?)
    }
}

/// The status of an answer without a body: the known answer still holds. A request that named
/// no answer treats it as unreadable.
const UNCHANGED: u16 = 304;

async fn read(response: Response, heard: &mut Heard) -> Answered<JsValue> {
    let headers = response.headers();
    let date = http::date(&response);
    let unchanged = response.status() == UNCHANGED;
    if !response.ok() && !unchanged {
        let retry_after = http::retry_after(&response);
        let (status, problem) = (response.status(), read_problem(response, heard).await);
        return Err(Failure::Status {
            status,
            retry_after,
            problem,
        });
    }
    let held = headers.get("Preference-Applied").is_some_and(|applied| {
        let mut words = applied.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| word == "wait")
    });
    let tag = headers.get("ETag");
    // Some caches write a zero into everything that passes.
    let age = headers.get("Age").and_then(|age| age.trim().parse().ok());
    let age = age.filter(|seconds| *seconds > 0).map(Duration::from_secs);
    let body = if unchanged {
        Some(JsValue::NULL)
    } else {
        heard.read(response).await
    };
    Ok(Answer {
        body: Box::new(body.ok_or(Failure::Unreadable)?),
        date,
        held,
        tag,
        age,
    })
}

/// The additional fields of a refusal of the payment service.
#[derive(Deserialize)]
struct Refusal {
    messages: Vec<LocalizedMessage>,
}

async fn read_problem(response: Response, heard: &mut Heard) -> Option<Problem> {
    if !http::is_problem(&response) {
        return None;
    }
    let document = heard.read(response).await?;
    let named = js_sys::Reflect::get(&document, &"type".into()).ok();
    heard.problem = named.and_then(|named| named.as_string());
    if let Some(Refusal { messages }) = json::read(document.clone())
        && !messages.is_empty()
    {
        let status = Status {
            code: String::new(),
            message_ilgn: messages,
        };
        return Some(Problem::Refused(Meta { status }));
    }
    let operation: OperationRef = json::read(document)?;
    // The type is an address. Its last part names the problem, on any merchant's server.
    let named = [
        (
            "order-paid",
            Problem::OrderPaid as fn(OperationRef) -> Problem,
        ),
        ("payment-reversed", Problem::PaymentReversed),
        ("operation-unconfirmed", Problem::Unconfirmed),
    ];
    let kind = heard.problem.as_deref()?;
    let (_, problem) = named.iter().find(|(end, _)| kind.ends_with(end))?;
    Some(problem(operation))
}

/// Puts the numbers of an operation into an address.
fn fill(template: &str, operation: &OperationRef) -> String {
    // The server fills in what a return token cannot know.
    let transaction = operation
        .transaction_id
        .as_ref()
        .map_or("-", |id| id.as_str());
    filled_url(
        template,
        &[
            ("merchant_code", operation.merchant_code.as_str()),
            (
                "merchant_operation_number",
                operation.merchant_operation_number.as_str(),
            ),
            ("transaction_id", transaction),
        ],
    )
}
