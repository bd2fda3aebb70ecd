//! The requests of a payer's tab, and the answers as the checkout reads them in a browser.

use super::settings::ORIGIN;
use super::shop::order_fields;
use crate::answer::Answer as Response;
use crate::request::Request;
use checkout_flow::{Answer, Answered, CancelledBy, Failure, OperationRef, Problem};
use payment_model::{LocalizedMessage, Meta, PaymentMethodName, ProblemMoney, Status, Timestamp};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

/// The request as the browser of a page of the server sends it.
pub(super) fn from_page(request: Request, cookie: &str) -> Request {
    let request = request.with("accept", "application/json");
    let request = request.with("sec-fetch-site", "same-origin");
    let looks = request.method == "GET";
    let request = if looks {
        request
    } else {
        request.with("origin", ORIGIN)
    };
    request.with_cookie(cookie)
}

/// The question which operation of the order its payer should see.
pub(super) fn live(order: &str) -> Request {
    Request::new("POST", "/api/charges/live").with_json(&order_fields(order))
}

/// The question about the state of an operation.
pub(super) fn status(
    operation: &OperationRef,
    wait: Option<Duration>,
    known: Option<&str>,
) -> Request {
    let id = operation.transaction_id.as_ref();
    let id = id.map_or("-", |id| id.as_str());
    let mut request = Request::new("GET", &format!("{}/{id}", path(operation)));
    if let Some(wait) = wait {
        request = request.with("prefer", &format!("wait={}", wait.as_secs()));
    }
    match known {
        Some(known) => request.with("if-none-match", known),
        None => request,
    }
}

/// The request to cancel.
pub(super) fn cancel(operation: &OperationRef) -> Request {
    Request::new("DELETE", &path(operation))
}

fn path(operation: &OperationRef) -> String {
    let code = operation.merchant_code.as_str();
    let number = operation.merchant_operation_number.as_str();
    format!("/api/charges/{code}/{number}")
}

/// An answer of the server.
pub(super) struct Heard {
    pub(super) response: Response,
    /// The method of the request.
    pub(super) method: String,
    /// The server's clock, which its connection would have written into the answer.
    pub(super) date: Timestamp,
}

impl Heard {
    /// The answer with its body as one of the contract's types.
    pub(super) fn content<T: DeserializeOwned>(self) -> Answered<T> {
        let response = &self.response;
        let unchanged = response.status == 304;
        if !response.is_success() && !unchanged {
            return Err(Failure::Status {
                status: response.status,
                retry_after: said(response, "retry-after")
                    .and_then(|seconds| seconds.trim().parse().ok())
                    .map(Duration::from_secs),
                money: ProblemMoney::from_word(response.json()["money"].as_str()),
                problem: problem(response),
            });
        }
        let applied = said(response, "preference-applied");
        let held = applied.is_some_and(|applied| {
            let mut words = applied.split(|c: char| !c.is_ascii_alphanumeric());
            words.any(|word| word == "wait")
        });
        let age = said(response, "age").and_then(|age| age.trim().parse().ok());
        let nothing = response.status == 204 && self.method == "POST";
        let body = if unchanged || nothing {
            "null"
        } else {
            &response.text
        };
        Ok(Answer {
            body: serde_json::from_str(body).map_err(|_| Failure::Unreadable)?,
            date: Some(self.date),
            id: None,
            held,
            tag: said(response, "etag").map(str::to_owned),
            age: age.filter(|seconds| *seconds > 0).map(Duration::from_secs),
            order_open: said(response, "order-state") == Some("open"),
            cancelled_by: said(response, "operation-end").and_then(cancelled_by),
        })
    }
}

fn said<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    Some(response.header(name)).filter(|said| !said.is_empty())
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

fn problem(response: &Response) -> Option<Problem> {
    if !said(response, "content-type")?.starts_with("application/problem+json") {
        return None;
    }
    let document: Value = serde_json::from_str(&response.text).ok()?;
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
