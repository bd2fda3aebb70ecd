//! What the contract, `docs/openapi.yaml`, says of requests and answers, by the reader of the server's tests.

#[path = "../../../../server/merchant-backend/tests/payments/contract/document.rs"]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    dead_code,
    reason = "the reader of the server's tests: a contract that cannot be read ends the run"
)]
mod document;
#[path = "../../../../server/merchant-backend/tests/payments/contract/listed.rs"]
mod listed;

use crate::answer::Answer;
use crate::request::{Request, decoded};
use axum::http::Method;
use document::DOCUMENT;
use serde_json::Value;

pub(super) fn fields(
    value: &'static Value,
) -> impl Iterator<Item = (&'static str, &'static Value)> {
    let fields = value.as_object().into_iter().flatten();
    fields.map(|(name, value)| (name.as_str(), value))
}

/// Every path with each of its methods, and the operation there.
pub(super) fn operations() -> impl Iterator<Item = (&'static str, &'static str, &'static Value)> {
    fields(&DOCUMENT.root["paths"]).flat_map(|(path, item)| {
        fields(item).map(move |(method, operation)| (path, method, operation))
    })
}

/// The value itself, or the one that it refers to.
pub(super) fn resolved(value: &'static Value) -> &'static Value {
    DOCUMENT.resolved(value)
}

/// True if the value is one of this schema.
pub(super) fn allows(schema: &Value, value: &Value) -> bool {
    DOCUMENT.validator(schema).is_valid(value)
}

pub(super) fn parameters(operation: &'static Value) -> impl Iterator<Item = &'static Value> {
    let listed = operation["parameters"].as_array().into_iter().flatten();
    listed.map(resolved)
}

/// The names of all parameters of queries.
pub(super) fn query_names() -> Vec<&'static str> {
    let parameters = operations().flat_map(|(.., operation)| parameters(operation));
    let queries = parameters.filter(|parameter| parameter["in"] == "query");
    queries.filter_map(|query| query["name"].as_str()).collect()
}

/// What of an answer is not as the contract has it.
pub(super) fn broken(request: &Request, answer: &Answer) -> Option<String> {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let path = path.strip_prefix("/api")?;
    let method = request.method.parse::<Method>().ok()?;
    let route = DOCUMENT.route(path).filter(|_| {
        // The names of methods are case-sensitive.
        !request.method.contains(char::is_lowercase)
    });
    let Some(operation) = route.and_then(|route| route.operation(&method)) else {
        let is_page = path == "/pay" || path.starts_with("/pay/");
        let is_of_http = ["HEAD", "OPTIONS"].contains(&method.as_str());
        let is_answered = answer.status < 400 && !is_page && !is_of_http;
        return is_answered.then(|| format!("{}, which is not in the contract", answer.status));
    };
    let status = answer.status.to_string();
    let Some(response) = operation["responses"].get(&status) else {
        // These are refused before any address reads the query, or a body that it does not take.
        let is_refused_before = match answer.status {
            400 => decoded(query).contains('\0'),
            413 => operation.get("requestBody").is_none(),
            _ => false,
        };
        return (!is_refused_before).then(|| format!("the status {status} is not in the contract"));
    };
    let response = DOCUMENT.resolved(response);
    let mut broken = listed::wrong_headers(&DOCUMENT, response, answer);
    broken.extend(listed::wrong_body(&DOCUMENT, response, answer));
    // The date is written by a connection, and there is none.
    let missing = "header Date is missing";
    let broken = broken.into_iter().find(|what| !what.contains(missing));
    broken.map(|what| format!("{status} is not as the contract has it: {what}"))
}
