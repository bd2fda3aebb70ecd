//! The payer's requests to the merchant's server, and its answers.

use super::Exchange;
use browser_kit::clock;
use browser_kit::http::{self, HttpRequest, Method, Response};
use browser_kit::json;
use checkout_flow::{
    Answer, Answered, CancelledBy, Failure, IdempotencyKey, OperationRef, Problem,
};
use js_sys::{Array, Reflect};
use payment_model::{
    Amount, Currency, LocalizedMessage, MerchantOperationNumber, Meta, NotOffered, Offer,
    PaymentMethodName, ProblemMoney, QueryResponse, Status, filled_url,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
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
        let base = base.trim_end_matches('/');
        let or = |own: Option<&str>, path: &str| {
            own.map_or_else(|| format!("{base}{path}"), str::to_owned)
        };
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

/// The request to authorize, with a body that is JSON already. It may end the live operation of this number.
pub(crate) fn authorize(
    addresses: &Addresses,
    key: &IdempotencyKey,
    replaces: Option<&MerchantOperationNumber>,
    body: String,
) -> HttpRequest {
    let request = HttpRequest::new(Method::POST, addresses.authorize.clone());
    let request = request.json(body).key(key);
    match replaces {
        Some(number) => request.header("Checkout-Replaces", &format!("\"{}\"", number.as_str())),
        None => request,
    }
}

/// The question which operation of the order its payer should see, with a body that is JSON already.
pub(crate) fn live(url: &str, body: String) -> HttpRequest {
    HttpRequest::new(Method::POST, url.to_owned()).json(body)
}

/// The question about an operation's state, held by the server for up to `wait`
/// if it can, and answered without a body if the `known` answer still holds. The address of a `fresh` one is known to
/// no cache.
pub(crate) fn status(
    addresses: &Addresses,
    operation: &OperationRef,
    wait: Option<Duration>,
    known: Option<&str>,
    fresh: bool,
    token: Option<&str>,
) -> HttpRequest {
    let mut url = fill(&addresses.status, operation);
    if fresh {
        url = at_instant(&url, clock::wall().as_millis().unsigned_abs());
    }
    let mut request = HttpRequest::new(Method::GET, url);
    if let Some(wait) = wait {
        request = request.header("Prefer", &format!("wait={}", wait.as_secs()));
    }
    if let Some(known) = known {
        request = request.header("If-None-Match", known);
    }
    if let Some(token) = token {
        request = request.header("Checkout-Token", token);
    }
    request
}

/// The request to cancel.
pub(crate) fn cancel(addresses: &Addresses, operation: &OperationRef) -> HttpRequest {
    HttpRequest::new(Method::DELETE, fill(&addresses.cancel, operation))
}

/// Sends a request and takes its answer, whose body [`content`] reads. The exchange gets what a
/// developer needs to understand it.
pub(crate) async fn send(
    request: HttpRequest,
    abort: AbortController,
    exchange: &mut Exchange,
) -> Answered<JsValue> {
    let response = request.send(abort).await.ok_or(Failure::Network)?;
    let answer = read(&response, exchange).await;
    exchange.status = Some(response.status());
    exchange.response = Some(response.into());
    answer
}

/// The answer with its body as one of our types. The exchange gets the field that breaks the contract.
pub(crate) fn content<T: DeserializeOwned>(
    answer: Answered<JsValue>,
    exchange: &mut Exchange,
) -> Answered<T> {
    let answer = answer?;
    let body = json::read_with_path(*answer.body).map_err(|error| {
        exchange.unreadable = Some(error.path);
        Failure::Unreadable
    })?;
    exchange.usable = true;
    Ok(Answer {
        body: Box::new(body),
        date: answer.date,
        id: answer.id,
        held: answer.held,
        tag: answer.tag,
        age: answer.age,
        order_open: answer.order_open,
        cancelled_by: answer.cancelled_by,
    })
}

/// The content of the answer to the question for a live operation. Without one it may say by which methods the server takes
/// the order.
pub(crate) fn live_content(
    mut answer: Answered<JsValue>,
    exchange: &mut Exchange,
) -> (Answered<Option<QueryResponse>>, Option<Offer>) {
    let body = answer.as_mut().ok().map(|answer| &mut *answer.body);
    let offer = body.and_then(|body| {
        let offer = read_offer(body)?;
        *body = JsValue::NULL;
        Some(offer)
    });
    (content(answer, exchange), offer)
}

/// The status of an answer without a body: the known answer still holds. A request that named
/// no answer treats it as unreadable.
const UNCHANGED: u16 = 304;

/// The status of an answer without a body to a question whose answer may be "none".
const NOTHING: u16 = 204;

async fn read(response: &Response, exchange: &mut Exchange) -> Answered<JsValue> {
    let unchanged = response.status() == UNCHANGED;
    if !response.ok() && !unchanged {
        let (money, problem) = read_problem(response, exchange).await;
        return Err(Failure::Status {
            status: response.status(),
            retry_after: http::retry_after(response),
            money,
            problem,
        });
    }
    let held = response
        .header("Preference-Applied")
        .is_some_and(|applied| {
            let mut words = applied.split(|c: char| !c.is_ascii_alphanumeric());
            words.any(|word| word == "wait")
        });
    // Some caches write a zero into everything that passes.
    let age = response
        .header("Age")
        .and_then(|age| age.trim().parse().ok());
    let age = age.filter(|seconds| *seconds > 0).map(Duration::from_secs);
    let nothing = response.status() == NOTHING && exchange.method == "POST";
    let body = if unchanged || nothing {
        Some(JsValue::NULL)
    } else {
        read_body(response, exchange).await
    };
    Ok(Answer {
        body: Box::new(body.ok_or(Failure::Unreadable)?),
        date: http::date(response),
        id: response.header("X-Request-Id"),
        held,
        tag: response.header("ETag"),
        age,
        order_open: response.header("Order-State").as_deref() == Some("open"),
        cancelled_by: response
            .header("Operation-End")
            .as_deref()
            .and_then(cancelled_by),
    })
}

fn cancelled_by(said: &str) -> Option<CancelledBy> {
    match said {
        "replaced" => Some(CancelledBy::Replacement),
        "payer" => Some(CancelledBy::Payer),
        "staff" => Some(CancelledBy::Staff),
        _ => None,
    }
}

/// The body as the browser's parser reads it; `None` if it broke off or is not JSON.
async fn read_body(response: &Response, exchange: &mut Exchange) -> Option<JsValue> {
    exchange.body = response.text().await;
    json::parse(exchange.body.as_deref()?)
}

/// The additional fields of a refusal of the payment service.
#[derive(Deserialize)]
struct Refusal {
    messages: Vec<LocalizedMessage>,
}

/// The additional field of a problem that names a live operation.
#[derive(Deserialize)]
struct Live {
    method_name: PaymentMethodName,
}

/// What the problem in the answer says of the money, and the problem, if the flow knows its type. An answer that is no
/// problem comes from a proxy, and tells nothing of the money.
async fn read_problem(
    response: &Response,
    exchange: &mut Exchange,
) -> (ProblemMoney, Option<Problem>) {
    let document = if http::is_problem(response) {
        read_body(response, exchange).await
    } else {
        None
    };
    let Some(document) = document else {
        return (ProblemMoney::Unknown, None);
    };
    exchange.problem = word(&document, "type");
    let says_so = |kind: &String| kind.ends_with("order-may-be-paid");
    let money = if exchange.problem.as_ref().is_some_and(says_so) {
        ProblemMoney::MayBePaid
    } else {
        ProblemMoney::from_word(word(&document, "money").as_deref())
    };
    (money, known_problem(document, exchange.problem.as_deref()))
}

fn known_problem(document: JsValue, kind: Option<&str>) -> Option<Problem> {
    if let Some(Refusal { messages }) = json::read(document.clone())
        && !messages.is_empty()
    {
        let status = Status {
            code: String::new(),
            message_ilgn: messages,
        };
        return Some(Problem::Refused(Meta { status }));
    }
    if kind?.ends_with("method-not-offered") {
        return Some(Problem::NotOffered(read_offer(&document)?));
    }
    let operation: OperationRef = json::read(document.clone())?;
    // The type is an address. Its last part names the problem, on any merchant's server.
    let named = [
        (
            "order-paid",
            Problem::OrderPaid as fn(OperationRef) -> Problem,
        ),
        ("payment-reversed", Problem::PaymentReversed),
        ("operation-unconfirmed", Problem::Unconfirmed),
    ];
    let kind = kind?;
    if kind.ends_with("operation-live") {
        let Live { method_name } = json::read(document)?;
        return Some(Problem::OperationLive(operation, method_name));
    }
    let (_, problem) = named.iter().find(|(end, _)| kind.ends_with(end))?;
    Some(problem(operation))
}

/// What the server says of the order's methods: with a list of those that are not offered, or about one of them, which it
/// refused. It is read by hand, because a reader of these types would cost every payer a kilobyte.
fn read_offer(document: &JsValue) -> Option<Offer> {
    let methods = list(document, "methods")?;
    Some(Offer {
        currency: Currency::new(word(document, "currency")?),
        methods: methods
            .iter()
            .filter_map(|method| Some((&*method.as_string()?).into()))
            .collect(),
        not_offered: match list(document, "not_offered") {
            Some(refused) => refused.iter().map(|one| read_not_offered(&one)).collect(),
            None => vec![read_not_offered(document)],
        },
    })
}

fn read_not_offered(refused: &JsValue) -> NotOffered {
    NotOffered {
        method: (&*word(refused, "method").unwrap_or_default()).into(),
        reason: (&*word(refused, "reason").unwrap_or_default()).into(),
        least: word(refused, "least").map(Amount::from),
        most: word(refused, "most").map(Amount::from),
    }
}

/// A member that is a text.
fn word(of: &JsValue, name: &str) -> Option<String> {
    Reflect::get(of, &name.into()).ok()?.as_string()
}

/// A member that is a list.
fn list(of: &JsValue, name: &str) -> Option<Array> {
    Reflect::get(of, &name.into()).ok()?.dyn_into().ok()
}

/// The address with a query that servers ignore, for caches on the way.
fn at_instant(url: &str, millis: u64) -> String {
    // A fragment is not sent.
    let url = url.split('#').next().unwrap_or_default();
    let mark = if url.contains('?') { '&' } else { '?' };
    format!("{url}{mark}checkout-fresh={millis}")
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

#[cfg(test)]
mod tests {
    use super::at_instant;

    #[test]
    fn an_address_keeps_its_own_query_beside_the_one_for_caches() {
        for (url, expected) in [
            ("/api/charges/1/2/3", "/api/charges/1/2/3?checkout-fresh=7"),
            ("/state?of=2&id=3", "/state?of=2&id=3&checkout-fresh=7"),
            (
                "https://shop.example/2?",
                "https://shop.example/2?&checkout-fresh=7",
            ),
            ("/state/2#there?", "/state/2?checkout-fresh=7"),
        ] {
            assert_eq!(at_instant(url, 7), expected);
        }
    }
}
